"""The shape of the code, the template and the documents."""
