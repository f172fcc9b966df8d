/** StoreUnavailableError is why a store does not serve a request at this moment; what it says may be told to whoever asked. */
export class StoreUnavailableError extends Error {
  name = 'StoreUnavailableError'
  code = 'ERR_STORE_UNAVAILABLE'
}

/** StoreOpenError says why a store cannot be opened. */
export class StoreOpenError extends Error {
  name = 'StoreOpenError'
  code = 'CANNOT_OPEN_STORE'
}
