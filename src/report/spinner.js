import ora from 'ora'
import { rawStream, visible } from '../kit/visible.js'
import { hasColour } from './description/terminal.js'

/**
 * spinnerOn is a line of a terminal that moves while something goes on. It moves the cursor itself, and shows texts visibly.
 *
 * @param {NodeJS.WritableStream & { isTTY?: boolean }} stream - a terminal
 * @param {NodeJS.ProcessEnv} [env] - NO_COLOR
 */
export function spinnerOn(stream, env = process.env) {
  const color = hasColour(stream, env) ? 'cyan' : false
  // ora would swallow Ctrl-C while it discards standard input
  const spinner = ora({ stream: rawStream(stream), color, indent: 2, discardStdin: false, isEnabled: true })
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
