"""Bodies of requests and answers: JSON, form, multipart, binary."""
