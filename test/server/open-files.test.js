import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const path = (/** @type {string} */ file) => fileURLToPath(new URL(`../../${file}`, import.meta.url))

describe('with too few files that may be open', { skip: process.platform === 'win32' }, () => {
  for (const command of [[path('src/server/main.js')], [path('index.js'), 'server']]) {
    for (const files of [30, 64]) {
      it(`${command.length === 1 ? 'the server' : 'the program'} says so in one line: ${files}`, async () => {
        const args = [...command, '--listen=/ip4/127.0.0.1/tcp/0', '--httpPort=0']
        const script = `ulimit -n ${files}; exec "$0" "$@"`
        const { code, stderr } = await new Promise(resolve => {
          execFile('sh', ['-c', script, process.execPath, ...args], (error, _, stderr) =>
            resolve({ code: error?.code, stderr })
          )
        })
        assert.equal(code, 1)
        assert.equal(stderr, `only ${files} files may be open at once: allow more, with ulimit -n 1024\n`)
      })
    }
  }
})
