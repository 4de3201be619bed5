"""The constraint model of best runs: data, variables, constraints, bonus terms and objective, one module each.

Nothing here looks at single routes before it solves; that makes it independent of the search over enumerated routes,
and the two are tested against each other.
"""
