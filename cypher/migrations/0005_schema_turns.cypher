// One queue a host, whichever machine asks first.
// params: none
// returns: nothing
// index: makes them
CREATE CONSTRAINT turn_id IF NOT EXISTS FOR (n:Turn) REQUIRE n.id IS UNIQUE;
