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
  outliveReader(stdout)
  outliveReader(stderr)
  if (argv.length === 1 && ['--version', '-v'].includes(argv[0])) {
    stdout.write(`libp2p-loadtest ${version}\n`)
    return 0
  }
  const { loadFiles } = await import('../open-files.js')
  const { visibleStream } = await import('../kit/visible.js')
  const { runCommandLine } = await loadFiles(() => import('./run-command-line.js'))
  return runCommandLine(argv, {
    ...surroundings,
    stdout: visibleStream(stdout),
    stderr: visibleStream(stderr)
  })
}

/**
 * A reader that goes away, as `head` does, is no error: what is left of the output has nobody to read it, and the run
 * is kept in its folder all the same.
 *
 * @param {NodeJS.WritableStream} stream
 */
function outliveReader(stream) {
  stream.on('error', error => {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error
  })
}
