"""Text as words, sentences and dependency trees."""
