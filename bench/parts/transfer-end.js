// One end of transfers over plain TCP, inside a namespace: `send` sends so many bytes to whoever connects, `receive` connects again and again
// and writes how long each took, from when it was sent to when its last byte was there. The first 8 bytes say when that was.
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const [part, address, count] = process.argv.slice(2)
const PORT = 9000
const now = () => process.hrtime.bigint()

/** @param {import('node:net').Socket} socket */
async function transfer(socket) {
  let [sentNs, endNs] = [0n, 0n]
  for await (const chunk of socket) {
    if (sentNs === 0n) sentNs = chunk.readBigUInt64LE(0)
    endNs = now()
  }
  return Number(endNs - sentNs) / 1e9
}

if (part === 'send') {
  const server = createServer(socket => {
    const bytes = Buffer.alloc(Number(count))
    socket.on('error', () => {})
    bytes.writeBigUInt64LE(now(), 0)
    socket.end(bytes)
  })
  server.listen(PORT, address, () => console.log('listening'))
} else {
  for (let left = Number(count); left > 0; left -= 1) {
    const socket = connect(PORT, address)
    await once(socket, 'connect')
    console.log(await transfer(socket))
  }
}
