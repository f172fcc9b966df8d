/**
 * toldOfData has a connection of generation 3 tell when bytes have come, before anything is done with them. What a listener hears is too
 * late for that, and the first bytes would wait for nobody else.
 *
 * @param {() => void} tell
 * @returns {import('./changed-transport.js').Change}
 */
export const toldOfData = tell => connection => {
  const onData = connection.onData.bind(connection)
  connection.onData = (/** @type {unknown} */ data) => {
    tell()
    onData(data)
  }
  return connection
}
