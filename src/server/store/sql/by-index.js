/**
 * BY_INDEX has a connection find rows by their indexes. How a prepared statement finds them is decided when it is first used, and an empty table
 * is read as a whole: a store that was empty then would read all of it, for each REGISTER and DISCOVER, until somebody counts its rows again.
 * What no index has, the tallies, is taken for so dear then that it would be compiled each time.
 */
export const BY_INDEX = `SELECT set_config(name, 'off', false) FROM pg_settings WHERE name IN ('enable_seqscan', 'jit')`
