// One answer of a language model an id, so that two processes that ask the same keep one.
// params: none
// returns: nothing
// index: makes them
CREATE CONSTRAINT completion_id IF NOT EXISTS FOR (n:Completion) REQUIRE n.id IS UNIQUE;
