"""A report as one HTML file: nothing is loaded, and nothing in it that came from files acts."""

from planner.report.html.page import as_html as as_html
