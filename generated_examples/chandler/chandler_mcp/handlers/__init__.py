"""Where each tool's handler is: `module:function`, imported on the first call."""

HANDLERS = {
    "quote": "tools:quote",
    "knots": "tools:knots",
    "label": "tools:label",
    "order": "tools:order",
    "count_stock": "tools:count_stock",
    "remember": "tools:remember",
}
