import { EXIT } from './exit-codes.js'

/** InterruptedError is the reason of the signal that ends a run. */
export class InterruptedError extends Error {
  name = 'InterruptedError'
  code = 'INTERRUPTED'
}

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/**
 * interrupts turns signals that end a program into an abort: the first lets the run stop cleanly, the second ends the process.
 * SIGHUP comes twice, from the kernel and from a shell.
 *
 * @param {Pick<NodeJS.Process, 'on' | 'off' | 'exit'>} process
 * @param {() => void} onFirst - tells the user
 * @returns {{ signal: AbortSignal, release: () => void }}
 */
export function interrupts(process, onFirst) {
  const controller = new AbortController()
  /** @param {NodeJS.Signals} name */
  const interrupt = name => {
    if (controller.signal.aborted && name === 'SIGHUP') return
    if (controller.signal.aborted) process.exit(EXIT.INTERRUPTED)
    controller.abort(new InterruptedError(`interrupted by ${name}`))
    onFirst()
  }
  for (const name of SIGNALS) process.on(name, interrupt)
  const release = () => {
    for (const name of SIGNALS) process.off(name, interrupt)
  }
  return { signal: controller.signal, release }
}
