import ora from 'ora'
import { rawStream, visible } from '../kit/visible.js'

/**
 * spinnerOn is a line of a terminal that moves while something goes on. It moves the cursor itself, and shows texts visibly.
 *
 * @param {NodeJS.WritableStream} stream - a terminal
 */
export function spinnerOn(stream) {
  // ora would swallow Ctrl-C while it discards standard input
  const spinner = ora({ stream: rawStream(stream), indent: 2, discardStdin: false, isEnabled: true })
  return {
    get isSpinning() {
      return spinner.isSpinning
    },
    get text() {
      return spinner.text
    },
    set text(text) {
      spinner.text = visible(text)
    },
    /** @param {string} [text] - default: the one it had */
    start: text => void spinner.start(text === undefined ? undefined : visible(text)),
    succeed: (/** @type {string} */ text) => void spinner.succeed(visible(text)),
    fail: (/** @type {string} */ text) => void spinner.fail(visible(text)),
    stop: () => void spinner.stop()
  }
}
