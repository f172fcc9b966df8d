/**
 * afterPromises calls back when all promises of this turn of the event loop have settled: ticks run before microtasks, but one that is
 * queued from a microtask runs behind all of them.
 *
 * @param {() => void} callback
 */
export const afterPromises = callback => queueMicrotask(() => process.nextTick(callback))
