"""Charts as SVG text whose colours are CSS variables: one picture for screen, dark mode, print and download.

Sizes are chosen for a phone: 480 units wide with text of 14, which a screen of 375 pixels shows at about 10.
"""
