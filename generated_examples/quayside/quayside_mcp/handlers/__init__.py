"""Where each tool's handler is: `module:function`, imported on the first call."""

HANDLERS = {
    "list_crates": "http:list_crates",
    "advise": "tools:advise",
    "listBooks": "bookshop_books:list_books",
    "addBook": "bookshop_books:add_book",
    "getBook": "bookshop_books:get_book",
    "replaceBook": "bookshop_books:replace_book",
    "updateBook": "bookshop_books:update_book",
    "removeBook": "bookshop_books:remove_book",
    "getCover": "bookshop_books:get_cover",
    "getAuthor": "bookshop_authors:get_author",
    "placeOrder": "bookshop_orders:place_order",
    "getOrder": "bookshop_orders:get_order",
}
