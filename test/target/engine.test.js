import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, test } from 'node:test'
import { reachEngine } from '../../src/target/docker-engine.js'
import { findDockerProblem } from '../../src/target/docker-processes.js'

/** @param {import('node:test').TestContext} t @param {string} address */
function engineAt(t, address) {
  const { DOCKER_HOST } = process.env
  process.env.DOCKER_HOST = address
  t.after(() => {
    if (DOCKER_HOST === undefined) delete process.env.DOCKER_HOST
    else process.env.DOCKER_HOST = DOCKER_HOST
  })
}

/** An engine that answers. @param {import('node:test').TestContext} t @param {object} info @param {number} [status] */
async function answering(t, info, status = 200) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://engine')
    const answer = pathname.endsWith('/version') ? { Version: '27.1', ApiVersion: '1.46' } : info
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(pathname.endsWith('/_ping') && status === 200 ? 'OK' : JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  engineAt(t, `tcp://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}`)
}

describe('the Docker engine', () => {
  for (const [what, info, bridgesReachable] of /** @type {[string, object, boolean][]} */ ([
    ['of this kernel has bridges within reach', { OperatingSystem: 'Debian' }, process.platform === 'linux'],
    ['that says nothing of itself is taken for one', {}, process.platform === 'linux'],
    ['of Docker Desktop has none that can be reached', { OperatingSystem: 'Docker Desktop' }, false],
    ['without root has none that can be reached', { SecurityOptions: ['name=rootless'] }, false]
  ]))
    test(what, async t => {
      await answering(t, info)
      const engine = await reachEngine()
      assert.deepEqual(
        [engine.bridgesReachable, engine.versions],
        [bridgesReachable, { 'docker engine': '27.1', 'docker api': '1.46' }]
      )
    })

  test('of another machine is not used', async t => {
    engineAt(t, 'tcp://203.0.113.9:2375')
    await assert.rejects(reachEngine(), {
      code: 'NO_ENGINE',
      message: 'no Docker engine answers (the one on 203.0.113.9 is on another machine)'
    })
  })

  test('that refuses says why', async t => {
    await answering(t, { message: 'client is too old\n' }, 400)
    await assert.rejects(reachEngine(), { code: 'NO_ENGINE', message: /^no Docker engine answers \(.+\)$/ })
  })

  test('that is missing for nodes in containers is said, with what to do, and what else there is', t => {
    engineAt(t, 'tcp://203.0.113.9:2375')
    const lack = findDockerProblem() ?? ''
    assert.match(
      lack,
      /^needs a Docker engine of this machine, and no Docker engine answers \(the one on 203/
    )
    assert.match(lack, /apt-get install -y docker\.io.*or use --network namespaces/)
  })
})
