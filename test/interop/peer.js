import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after } from 'node:test'

/**
 * Every peer that is not ours is a program of two roles, told and answering in lines of JSON, that ends with its input.
 *
 * `serve`: a server on a free port of the loopback network, times to live from 1 s where it can. It prints one line,
 * `{ "address": multiaddr }`; and for each perf request that it has served another, `{ "received": bytes, "sent": bytes }`.
 *
 * `client <multiaddr>`: for each Question one Answer, in that order.
 *
 * @typedef {object} Question
 * @property {number} as - who asks: a number for each peer, made when it first asks
 * @property {'id' | 'register' | 'unregister' | 'discover' | 'perf' | 'load'} op - `load`: requests of several peers, of Rust alone
 * @property {string} [ns]
 * @property {number} [ttl] - in seconds
 * @property {number} [limit]
 * @property {string} [cookie] - in hexadecimal
 * @property {number} [up] - of `perf`: bytes to be sent
 * @property {number} [down] - of `perf`: bytes to be sent back
 * @property {number} [peers] - of `load`: how many send, from `as` on
 * @property {number} [registerEvery] - of `load`: each so many-th request of a peer is REGISTER; default: all are DISCOVER
 * @property {number} [namespaces] - of `load`: how many, named `ns` and a number; default 1
 * @property {number} [rate] - of `load`: requests a second, together, each due at its time; else each peer sends when it has its reply
 * @property {number} [count] - of `load`: requests
 * @property {string} [domain] - of a request of `load`: it is sent on a raw stream, with a record of this domain, and of its reply the status is read
 *
 * @typedef {object} Answer
 * @property {string} [peer] - to `id`
 * @property {number} [ttl] - to `register`: seconds granted
 * @property {string[]} [peers] - to `discover`: ids
 * @property {string} [cookie] - to `discover`, in hexadecimal
 * @property {number} [sent] - to `perf`: bytes
 * @property {number} [received] - to `perf`: bytes
 * @property {Record<'register' | 'discover', number[]>} [micros] - to `load`: to the reply of each request, from when it was due (at a rate) or
 *   sent, µs
 * @property {string} [error] - a status' name; `NO_REPLY`; `REFUSED_BY_CLIENT`: nothing was sent
 * @property {string} [text] - of the error
 *
 * @typedef {object} Client
 * @property {(question: Question) => Promise<Answer>} ask
 */

/** Whatever takes longer than this hangs, on a busy machine too. */
const HANGS_AFTER_MS = 300_000

/**
 * startServer starts the server of another implementation; it ends with the tests that call this.
 *
 * @param {string[]} command
 * @returns {Promise<{ address: string, pid: number, next: () => Promise<any> }>} `next`: its next line
 */
export async function startServer(command) {
  const program = startProgram([...command, 'serve'])
  return { address: (await program.next()).address, pid: program.pid, next: program.next }
}

/**
 * startClient starts the client of another implementation; it ends with the tests that call this.
 *
 * @param {string[]} command
 * @param {string} server - multiaddr
 * @returns {Client}
 */
export function startClient(command, server) {
  const program = startProgram([...command, 'client', server])
  return {
    ask(question) {
      program.tell(question)
      return program.next()
    }
  }
}

/** @param {string[]} command */
function startProgram([program, ...args]) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'close')
  after(async () => {
    child.stdin.end()
    const late = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS)
    await ended
    clearTimeout(late)
  })
  return {
    pid: /** @type {number} */ (child.pid),
    /** @param {unknown} value */
    tell: value => child.stdin.write(`${JSON.stringify(value)}\n`),
    async next() {
      const late = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS)
      const { value, done } = await lines.next()
      clearTimeout(late)
      if (done)
        throw new Error(`${program} ${args.join(' ')} ended, or said nothing for ${HANGS_AFTER_MS} ms`)
      return JSON.parse(value)
    }
  }
}
