"""Where each tool's handler is: `module:function`, imported on the first call."""

HANDLERS = {
    "listBooks": "books:list_books",
    "addBook": "books:add_book",
    "getBook": "books:get_book",
    "replaceBook": "books:replace_book",
    "updateBook": "books:update_book",
    "removeBook": "books:remove_book",
    "getCover": "books:get_cover",
    "getAuthor": "authors:get_author",
    "placeOrder": "orders:place_order",
    "getOrder": "orders:get_order",
}
