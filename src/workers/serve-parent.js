import { Channel } from './channel.js'

/**
 * @typedef {object} Tell - the process that forked this one
 * @property {(method: string, ...args: any[]) => Promise<any>} call
 * @property {(method: string, ...args: any[]) => void} say - whether it is received is of no interest
 */

/**
 * serveParent has an object do what the process asks for that forked this one.
 *
 * @param {(setup: any, tell: Tell) => object} make - from what it is told first
 * @param {readonly string[]} methods - of the object that can be asked for
 * @param {import('./channel.js').Handlers} [more] - what else can be
 * @param {import('./channel.js').Port} [port] - to it
 * @returns {Tell}
 */
export function serveParent(make, methods, more = {}, port = process) {
  /** @type {any} */
  let made
  /** @type {Tell} */
  const tell = {
    call: (method, ...args) => channel.call(method, ...args),
    say: (method, ...args) => void channel.call(method, ...args).catch(() => {})
  }
  const channel = new Channel(port, {
    setup: setup => {
      made = make(setup, tell)
    },
    ...Object.fromEntries(methods.map(name => [name, (/** @type {any[]} */ ...args) => made[name](...args)])),
    ...more
  })
  channel.call('ready')
  return tell
}
