import { realSurroundings } from './surroundings.js'

/** @typedef {import('./surroundings.js').Surroundings} Surroundings */

/**
 * main runs a command line. What it imports is what every command needs: --version needs no more.
 *
 * @param {string[]} argv - without node and script
 * @param {Surroundings} [surroundings]
 * @returns {Promise<number>} exit code
 */
export async function main(argv, surroundings = realSurroundings()) {
  const { stdout, stderr, version } = surroundings
  const written = outliveReader(
    stdout,
    error => void stderr.write(`stdout cannot be written: ${error.code}\n`)
  )
  outliveReader(stderr, () => {})
  if (argv.length === 1 && ['--version', '-v'].includes(argv[0])) {
    stdout.write(`libp2p-loadtest ${version}\n`)
    return written(0)
  }
  const { loadFiles } = await import('../open-files.js')
  const { visibleStream } = await import('../kit/visible.js')
  const { runCommandLine } = await loadFiles(() => import('./run-command-line.js'))
  return written(
    await runCommandLine(argv, {
      ...surroundings,
      stdout: visibleStream(stdout),
      stderr: visibleStream(stderr)
    })
  )
}

/** The reader of a pipe is gone, or a terminal is. */
const GONE = new Set(['EPIPE', 'EIO'])

/**
 * A reader that goes away, as `head` does, is no error: what is left of the output has nobody to read it, and the run
 * is kept in its folder all the same. Nor does anything else end a run that is only to be shown.
 *
 * @param {NodeJS.WritableStream} stream
 * @param {(error: NodeJS.ErrnoException) => void} onLost - is told once that it cannot be written
 * @returns {(exitCode: number) => Promise<number>} the exit code, 1 where all went well but that
 */
function outliveReader(stream, onLost) {
  let lost = false
  stream.on('error', error => {
    if (lost || GONE.has(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) return
    lost = true
    onLost(error)
  })
  return async exitCode => {
    // it is told after what was written last
    await new Promise(resolve => setImmediate(resolve))
    return lost && exitCode === 0 ? 1 : exitCode
  }
}
