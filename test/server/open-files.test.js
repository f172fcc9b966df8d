import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const path = (/** @type {string} */ file) => fileURLToPath(new URL(`../../${file}`, import.meta.url))

/**
 * @param {string[]} command
 * @param {number} files - that may be open at once
 * @returns {Promise<{ ready: boolean, stderr: string, code: number | null }>}
 */
function start(command, files) {
  const args = [...command, '--listen=/ip4/127.0.0.1/tcp/0', '--httpPort=0']
  const child = spawn('sh', ['-c', `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, ...args], {
    // what is covered is written into one more file
    env: { ...process.env, NODE_V8_COVERAGE: '' }
  })
  const seen = { ready: false, stderr: '' }
  child.stdout.once('data', text => {
    seen.ready = String(text).startsWith('ready ')
    child.kill()
  })
  child.stderr.on('data', text => {
    seen.stderr += text
  })
  return new Promise(resolve => child.once('close', code => resolve({ ...seen, code })))
}

describe('with too few files that may be open', { skip: process.platform === 'win32' }, () => {
  for (const command of [[path('src/server/main.js')], [path('index.js'), 'server']]) {
    for (const files of [30, 64]) {
      it(`${command.length === 1 ? 'the server' : 'the program'} says so in one line, or needs no more: ${files}`, async () => {
        const { ready, code, stderr } = await start(command, files)
        // Node 24 opens the files of a program one after the other
        if (ready && !process.version.startsWith('v20.')) return
        assert.equal(code, 1)
        assert.equal(stderr, `only ${files} files may be open at once: allow more, with ulimit -n 1024\n`)
      })
    }
  }
})
