import { visible } from '../kit/visible.js'
import { parseServerFlags, serverHelp } from './flags.js'
import { KeyFileError } from './identity.js'
import { ListenError } from './listen-error.js'
import { readServerOptions, ServerOptionsError } from './options.js'
import { serve } from './serve.js'
import { StoreOpenError } from './store/store-error.js'

const EXIT_FAILED = 1
const EXIT_BAD_USAGE = 2

/** @param {unknown} error */
function explain(error) {
  if (!(error instanceof ServerOptionsError)) {
    const { message, stack } = /** @type {Error} */ (error)
    const explained = [ListenError, KeyFileError, StoreOpenError].some(kind => error instanceof kind)
    process.stderr.write(visible(`the server failed: ${explained ? message : stack}\n`))
    return EXIT_FAILED
  }
  const lines = error.problems.map(({ flag, value, allowed }) => `  ${flag} ${value}  ${allowed}`)
  const many = `${lines.length} problem${lines.length > 1 ? 's' : ''}`
  process.stderr.write(visible(`${many}:\n${lines.join('\n')}\n`))
  return EXIT_BAD_USAGE
}

/** main runs a server as its flags and environment say. @returns {Promise<number>} exit code */
export async function main() {
  const { help, ...flags } = parseServerFlags(process.argv.slice(2))
  try {
    if (help) process.stdout.write(serverHelp())
    else await serve(readServerOptions(flags, process.env))
    return 0
  } catch (error) {
    return explain(error)
  }
}
