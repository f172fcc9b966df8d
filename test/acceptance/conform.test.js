import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { WrongServer } from '../conformance/checks/wrong-server.js'
import { startForeignServer } from './foreign-server.js'
import { call, INDEX, newFolder, startProgram, TIMEOUT } from './loadtest.js'

/** @param {string[]} args */
const conform = (...args) => call(['conform', ...args])

/** @param {string} does @param {(address: string, server: WrongServer) => Promise<void>} use */
async function withServer(does, use) {
  const server = await new WrongServer(does).start()
  try {
    await use(/** @type {string} */ (server.address), server)
  } finally {
    await server.stop()
  }
}

describe('conform', TIMEOUT, () => {
  test('our server: exit 0, every check told, nothing left at the server', async () => {
    const { multiaddr, settled } = await startForeignServer()
    const folder = await newFolder()
    const [junit, markdown, page] = ['j.xml', 'm.md', 'p.html'].map(file => join(folder, file))
    const files = ['--junit', junit, '--markdown', markdown, '--page', page]
    const { code, stdout, stderr } = await conform(multiaddr, ...files)
    assert.equal(code, 0, stdout + stderr)
    const [headline, checks] = /\n7\d of (\d+) checks passed; 3 could not be tested\.\n$/.exec(stdout) ?? []
    assert.ok(headline, stdout)
    for (const file of [markdown, page])
      assert.ok((await readFile(file, 'utf8')).includes(headline.trim()), file)
    assert.equal((await readFile(junit, 'utf8')).split('<testcase').length - 1, Number(checks))
    assert.match(stdout, /not tested, expires: a time to live of 3 s was refused by E_INVALID_TTL/)
    assert.equal(await settled('rendezvous_registrations'), 0)
  })

  test('a server that is restarted by a command, and then departs from the specification: exit 3, with what it did and the sentence', () =>
    // filled soon
    withServer('counts anew after a restart and takes 32 of a peer', async (address, server) => {
      const onSignal = () => server.restart()
      process.on('SIGUSR2', onSignal)
      const { code, stdout } = await conform(address, '--restart', `kill -USR2 ${process.pid}`)
      process.off('SIGUSR2', onSignal)
      assert.equal(code, 3, stdout)
      assert.match(
        stdout,
        /✘ after a restart.*\n +fail, cookie-restart: found nobody where E is new\n +The query can also include a cookie/
      )
    }))

  test('nobody there: exit 1, and why', () =>
    withServer('right', async (address, server) => {
      await server.stop()
      const { code, stderr } = await conform(address)
      assert.equal(code, 1)
      assert.match(stderr, /nothing listens there/)
    }))

  test('Ctrl-C: what was found is shown, and taken back; exit 130', () =>
    withServer('keeps for ever', async (address, server) => {
      const junit = join(await newFolder(), 'j.xml')
      const program = startProgram(INDEX, ['conform', address, '--junit', junit])
      await program.line(/a registration stays when its peer disconnects/)
      program.signal('SIGINT')
      const { code, stdout, stderr } = await program.ended
      assert.equal(code, 130)
      assert.match(stderr, /stopping: taking back what was registered/)
      assert.match(stdout, /not tested, expires: interrupted/)
      assert.match(stdout, /\n2\d of \d+ checks passed; \d+ could not be tested\.\n$/)
      assert.deepEqual(server.registrations, [])
      assert.match(await readFile(junit, 'utf8'), /expires:.*<skipped message="interrupted"/)
    }))
})
