import { AsyncResource } from 'node:async_hooks'

/** A number that Node gives to what lasts: the next one, which is used up. */
const number = () => new AsyncResource('VirtualTime').asyncId()

/**
 * synchronous makes a function of Node's that is through when it returns one that the Trap lets pass: some of them take the form of
 * work in a thread, and run at once. Called with a callback, such a function does work in a thread, and is left alone.
 *
 * @template {(...args: any[]) => unknown} T
 * @param {T} run
 * @param {Pick<import('./environment.js').Ticks, 'asked' | 'inside'>} ticks
 * @returns {T}
 */
export const synchronous = (run, ticks) =>
  /** @type {T} */ (
    /** @this {unknown} @param {any[]} args */
    function (...args) {
      if (typeof args.at(-1) === 'function') return run.apply(this, args)
      ticks.inside = true
      const before = number()
      try {
        return run.apply(this, args)
      } finally {
        ticks.asked += number() - before + 1
        ticks.inside = false
      }
    }
  )
