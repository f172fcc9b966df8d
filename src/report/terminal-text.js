import { wrapped } from '../kit/fitted.js'
import { columnsOf } from '../kit/terminal-width.js'

/**
 * onTerminal is a text as it is written to a stream: lines are broken between words at a terminal; a file or a pipe has it as it is.
 *
 * @param {string} text
 * @param {import('./terminal.js').Stream} stream
 */
export const onTerminal = (text, stream) =>
  stream.isTTY
    ? text
        .split('\n')
        .map(line => wrapped(line, columnsOf(stream)))
        .join('\n')
    : text
