/**
 * toldOfData has a connection of generation 3 tell when bytes have come, before anything is done with them, and before bytes are handed to
 * the system. What a listener hears is too late for that, and the first bytes would wait for nobody else.
 *
 * @param {import('./types.js').Wire} wire
 * @returns {import('./changed-transport.js').Change}
 */
export const toldOfData = wire => connection => {
  const onData = connection.onData.bind(connection)
  const send = connection.send.bind(connection)
  return Object.assign(connection, {
    onData(/** @type {unknown} */ data) {
      wire.read()
      onData(data)
    },
    send(/** @type {unknown} */ data) {
      wire.wrote()
      return send(data)
    }
  })
}
