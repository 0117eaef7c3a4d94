"""Write results as the documented JSON objects that the command line, the API and the page show."""
