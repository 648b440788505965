"""The cloud problem: bag-of-tasks applications on rented machines within a budget."""
