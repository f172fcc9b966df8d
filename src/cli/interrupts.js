import { EXIT } from './exit-codes.js'

/** InterruptedError is the reason of the signal that ends a run. */
export class InterruptedError extends Error {
  name = 'InterruptedError'
  code = 'INTERRUPTED'
}

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/**
 * interrupts turns signals that end a program into an abort: the first lets the run stop cleanly, the second ends the process. Only Ctrl-C
 * comes from somebody who waits for pages: who sends SIGTERM kills what takes long, and a terminal that is gone (SIGHUP) shows nothing.
 * It is told twice, by the kernel and by a shell.
 *
 * @param {Pick<NodeJS.Process, 'on' | 'off' | 'exit'>} process
 * @param {() => void} onFirst - tells the user
 * @returns {{ signal: AbortSignal, hurried: () => boolean, release: () => void }} `hurried`: it was another one than SIGINT, and what takes long is left out
 */
export function interrupts(process, onFirst) {
  const controller = new AbortController()
  let hurried = false
  /** @param {NodeJS.Signals} name */
  const interrupt = name => {
    if (controller.signal.aborted && name === 'SIGHUP') return
    if (controller.signal.aborted) process.exit(EXIT.INTERRUPTED)
    hurried = name !== 'SIGINT'
    controller.abort(new InterruptedError(`interrupted by ${name}`))
    onFirst()
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  const release = () => {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
  return { signal: controller.signal, hurried: () => hurried, release }
}
