import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DockerError } from '../../src/target/docker-engine.js'
import { baseImage, buildServerImage, tagImage } from '../../src/target/images.js'

const HOME_MADE = 'libp2p-loadtest-node:latest'
const OFFICIAL = 'node:22-slim'
const PROGRAM = {
  repository: 'a-program',
  what: 'the image of a program',
  context: async () => ({ root: '/r', app: '.', dockerfile: 'Dockerfile', paths: ['a'], hash: 'abc' })
}
const NAME = 'a-program:abc'

/**
 * An engine with images, which tells what it was asked.
 *
 * @param {object} [has]
 * @param {Record<string, any>} [has.images] - by name, as it describes them
 * @param {string} [has.failure] - of whatever it builds or pulls
 * @param {number} [has.status] - of its answer about an image that is not there
 */
function engine({ images = {}, failure, status = 404 } = {}) {
  /** @type {any[]} */
  const asked = []
  const docker = /** @type {any} */ ({
    getImage: (/** @type {string} */ name) => ({
      async inspect() {
        if (images[name] === undefined) throw Object.assign(new Error('no image'), { statusCode: status })
        return images[name]
      },
      tag: async (/** @type {any} */ how) => void asked.push(['tag', name, how])
    }),
    listImages: async () => Object.keys(images),
    async pull(/** @type {string} */ name) {
      asked.push(['pull', name])
      if (failure === undefined) images[name] = {}
      return name
    },
    async buildImage(/** @type {any} */ files, /** @type {any} */ how) {
      asked.push(['build', files, how])
      images[how.t] = { Id: 'built', Config: { Labels: how.labels, Env: ['NODE_VERSION=22.1.0'] } }
      return how.t
    },
    modem: {
      followProgress(
        /** @type {any} */ _,
        /** @type {(error: Error | null, messages: any[]) => void} */ ended,
        /** @type {(message: any) => void} */ heard
      ) {
        const messages = [
          { stream: 'Step 1/2 : FROM x' },
          ...(failure === undefined ? [] : [{ error: failure }])
        ]
        for (const message of messages) heard(message)
        ended(null, messages)
      }
    }
  })
  return { docker, asked, versions: {}, bridgesReachable: true }
}

const there = {
  Id: 'id',
  Config: { Labels: { 'libp2p-loadtest.base': OFFICIAL }, Env: ['PATH=/', 'NODE_VERSION=22.0.0'] }
}

describe('the image to build on', () => {
  for (const [what, images, nodeImage, expected] of /** @type {[string, any, string | null, string][]} */ ([
    [
      'is the one made on this machine before the official one',
      { [HOME_MADE]: {}, [OFFICIAL]: {} },
      null,
      HOME_MADE
    ],
    ['is the official one where that is there', { [OFFICIAL]: {} }, null, OFFICIAL],
    ['is the one that was asked for, whatever else is there', { [HOME_MADE]: {}, mine: {} }, 'mine', 'mine']
  ]))
    test(what, async () => {
      const { docker, asked } = engine({ images })
      assert.equal(await baseImage(docker, { nodeImage }), expected)
      assert.deepEqual(asked, [])
    })

  test('is pulled where it is not there, and tells how far it is', async () => {
    /** @type {any[]} */
    const progress = []
    const { docker, asked } = engine()
    const onProgress = (/** @type {any} */ told) => progress.push([told.done, told.total])
    assert.equal(await baseImage(docker, { nodeImage: null, onProgress }), OFFICIAL)
    assert.equal(await baseImage(docker, { nodeImage: 'mine' }), 'mine')
    assert.deepEqual(
      [asked, progress],
      [
        [
          ['pull', OFFICIAL],
          ['pull', 'mine']
        ],
        [[1, 2]]
      ]
    )
  })

  test('that cannot be pulled is named, with the reason and a way out', async () => {
    const { docker } = engine({ failure: 'no such host\n' })
    await assert.rejects(baseImage(docker, { nodeImage: null }), error => {
      assert.ok(error instanceof DockerError)
      assert.equal(error.code, 'BASE_IMAGE_NOT_PULLED')
      assert.match(error.message, /node:22-slim could not be pulled \(no such host\): .*base-image\.sh/)
      return true
    })
  })

  test('gives the reason of who stopped pulling it', async () => {
    const signal = AbortSignal.abort(new Error('interrupted'))
    await assert.rejects(
      baseImage(engine({ failure: 'x' }).docker, { nodeImage: null, signal }),
      /^Error: interrupted/
    )
  })

  test('is never pulled where nobody asked for that, and how to have one is said', async () => {
    const { docker, asked } = engine()
    await assert.rejects(baseImage(docker, { nodeImage: null, pull: false }), {
      code: 'NO_IMAGE',
      message:
        /there is no base image .*--server docker pulls node:22-slim, scripts\/base-image\.sh makes one/
    })
    assert.deepEqual(asked, [])
  })

  test('is not pulled where the engine fails to say what is there', async () => {
    const { docker, asked } = engine({ status: 500 })
    await assert.rejects(baseImage(docker, { nodeImage: null }), { statusCode: 500 })
    assert.deepEqual(asked, [])
  })
})

describe("a program's image", () => {
  test('is not built again while it is there', async () => {
    const of = engine({ images: { [NAME]: there } })
    const image = { name: NAME, id: 'id', base: OFFICIAL, node: '22.0.0' }
    assert.deepEqual(await buildServerImage(of, { program: PROGRAM }), { image, built: false })
    const asked = await buildServerImage(of, { program: PROGRAM, nodeImage: OFFICIAL })
    assert.deepEqual([asked.built, of.asked], [false, []])
  })

  for (const [what, how] of /** @type {[string, object][]} */ ([
    ['is built on another base when that is asked for', { nodeImage: 'mine' }],
    ['is built anew when that is asked for', { force: true }]
  ]))
    test(what, async () => {
      const of = engine({ images: { [NAME]: there, mine: {}, [HOME_MADE]: {} } })
      const { image, built } = await buildServerImage(of, { program: PROGRAM, ...how })
      const base = 'nodeImage' in how ? 'mine' : HOME_MADE
      assert.deepEqual([built, image], [true, { name: NAME, id: 'built', base, node: '22.1.0' }])
      const [[, files, options]] = of.asked
      assert.deepEqual(files, { context: '/r', src: ['a'] })
      assert.deepEqual([options.buildargs, options.nocache], [{ NODE_IMAGE: base, APP: '.' }, 'force' in how])
    })

  test('that cannot be built is named, with the reason', async () => {
    const of = engine({ images: { [HOME_MADE]: {} }, failure: 'COPY failed ' })
    await assert.rejects(buildServerImage(of, { program: PROGRAM }), {
      code: 'IMAGE_NOT_BUILT',
      message: 'the image of a program could not be built: COPY failed'
    })
  })

  test('gives the reason of who stopped building it', async () => {
    const of = engine({ images: { [HOME_MADE]: {} }, failure: 'x' })
    const signal = AbortSignal.abort(new Error('interrupted'))
    await assert.rejects(buildServerImage(of, { program: PROGRAM, signal }), /^Error: interrupted/)
  })

  test('says where its base does not tell what it is', async () => {
    const of = engine({ images: { [NAME]: { Id: 'id', Config: {} } } })
    const { image } = await buildServerImage(of, { program: PROGRAM })
    assert.deepEqual([image.base, image.node], ['unknown', 'unknown'])
  })

  test('is no other one because the engine fails to say what is there', async () => {
    await assert.rejects(buildServerImage(engine({ status: 500 }), { program: PROGRAM }), { statusCode: 500 })
  })

  for (const [name, how] of /** @type {[string, object][]} */ ([
    ['host:5000/a/b', { repo: 'host:5000/a/b', tag: 'latest' }],
    ['host:5000/a/b:1.2', { repo: 'host:5000/a/b', tag: '1.2' }],
    ['mine', { repo: 'mine', tag: 'latest' }]
  ]))
    test(`gets the further name ${name}`, async () => {
      const of = engine()
      await tagImage(of, { name: NAME, id: 'id', base: OFFICIAL, node: '22' }, name)
      assert.deepEqual(of.asked, [['tag', 'id', how]])
    })
})
