import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { describeMissingPackages, findStack, STACKS } from '../../src/libp2p/stacks.js'
import { NODE_FLAGS } from '../../src/server/server-process.js'
import { DockerError } from '../../src/target/docker-engine.js'
import {
  awaitEngineProgress,
  buildServerImage,
  collectServerContext,
  findBaseImage,
  makeProgressReader,
  SERVER_DOCKERFILE,
  TOOL_DOCKERFILE,
  TOOL_PROGRAM,
  tagImage
} from '../../src/target/images.js'

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
    ['is the one made here before the official one', { [HOME_MADE]: {}, [OFFICIAL]: {} }, null, HOME_MADE],
    ['is the official one where that is there', { [OFFICIAL]: {} }, null, OFFICIAL],
    ['is the one that was asked for, whatever else is there', { [HOME_MADE]: {}, mine: {} }, 'mine', 'mine']
  ]))
    test(what, async () => {
      const { docker, asked } = engine({ images })
      assert.equal(await findBaseImage(docker, { nodeImage }), expected)
      assert.deepEqual(asked, [])
    })

  test('is pulled where it is not there, and tells how far it is', async () => {
    /** @type {any[]} */
    const progress = []
    const { docker, asked } = engine()
    const onProgress = (/** @type {any} */ told) => progress.push([told.done, told.total])
    assert.equal(await findBaseImage(docker, { nodeImage: null, onProgress }), OFFICIAL)
    assert.equal(await findBaseImage(docker, { nodeImage: 'mine' }), 'mine')
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
    await assert.rejects(findBaseImage(docker, { nodeImage: null }), error => {
      assert.ok(error instanceof DockerError)
      assert.equal(error.code, 'BASE_IMAGE_NOT_PULLED')
      assert.match(error.message, /node:22-slim could not be pulled \(no such host\): .*base-image\.sh/)
      return true
    })
  })

  test('gives the reason of who stopped pulling it', async () => {
    const signal = AbortSignal.abort(new Error('interrupted'))
    await assert.rejects(
      findBaseImage(engine({ failure: 'x' }).docker, { nodeImage: null, signal }),
      /^Error: interrupted/
    )
  })

  test('is never pulled where nobody asked for that, and how to have one is said', async () => {
    const { docker, asked } = engine()
    await assert.rejects(findBaseImage(docker, { nodeImage: null, pull: false }), {
      code: 'NO_IMAGE',
      message:
        /there is no base image .*--server docker pulls node:22-slim, scripts\/base-image\.sh makes one/
    })
    assert.deepEqual(asked, [])
  })

  test('is not pulled where the engine fails to say what is there', async () => {
    const { docker, asked } = engine({ status: 500 })
    await assert.rejects(findBaseImage(docker, { nodeImage: null }), { statusCode: 500 })
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

const { root, app, paths, hash } = await collectServerContext()

test('the image holds what the server imports, and nothing else of ours', () => {
  for (const path of ['package.json', SERVER_DOCKERFILE, 'src/server/main.js', 'src/server/health-check.js'])
    assert.ok(paths.includes(path), path)
  assert.ok(paths.includes('src/protocol/rendezvous.js'), 'imported from another folder')
  for (const folder of ['src/cli', 'src/client', 'src/docker', 'src/workers', 'test'])
    assert.ok(!paths.some(path => path.startsWith(`${folder}/`)), folder)
})

test('the image holds the packages that those need, and none that only others need', () => {
  const has = (/** @type {string} */ name) => paths.includes(join('node_modules', name))
  for (const name of ['libp2p', '@libp2p/tcp', 'pino', 'thread-stream']) assert.ok(has(name), name)
  for (const name of ['dockerode', 'pidusage', 'typescript', '@biomejs/biome']) assert.ok(!has(name), name)
})

test('the image holds every stack whose packages are installed, for the server to be started on', () => {
  for (const name of STACKS.keys()) {
    const installed = describeMissingPackages(name) === null
    assert.ok(paths.includes(`src/libp2p/generation-${name.at(-1)}/${name}.js`), name)
    for (const each of findStack(name).packages)
      assert.equal(paths.includes(join('node_modules', each)), installed, each)
  }
})

test('everything named is there, once', () => {
  assert.equal(app, '.')
  for (const path of paths) assert.ok(existsSync(join(root, path)), path)
  for (const path of paths) assert.ok(!paths.some(other => path.startsWith(`${other}/`)), `${path} twice`)
})

test('it starts the server with the flags of Node that a process of it has', () => {
  const [, entry] = /^ENTRYPOINT (.*)$/m.exec(readFileSync(join(root, SERVER_DOCKERFILE), 'utf8')) ?? []
  assert.deepEqual(JSON.parse(entry), ['node', ...NODE_FLAGS, 'src/server/main.js'])
})

test('its hash stays the same while nothing changes', async () => {
  assert.match(hash, /^[0-9a-f]{12}$/)
  assert.equal((await collectServerContext()).hash, hash)
})

const {
  root: rootToolImage,
  app: appToolImage,
  dockerfile,
  paths: pathsToolImage,
  hash: hashToolImage
} = await TOOL_PROGRAM.context()
const [{ dependencies, devDependencies }, { packages }] = ['package.json', 'package-lock.json'].map(name =>
  JSON.parse(readFileSync(name, 'utf8'))
)

test('the image of the tool holds all of its code and its matrices, and neither tests nor what develops it', () => {
  for (const path of [
    ...[
      'index.js',
      'package.json',
      TOOL_DOCKERFILE,
      'benchmarks/smoke.yaml',
      'src/network/namespaces/mux.pl'
    ],
    'src/scenarios/rendezvous/worker/entry.js'
  ])
    assert.ok(pathsToolImage.includes(path), path)
  const ofOurs = pathsToolImage.filter(path => !path.startsWith('node_modules/'))
  assert.deepEqual(
    new Set(ofOurs.map(path => path.split('/')[0])),
    new Set(['index.js', 'package.json', 'package-lock.json', 'src', 'benchmarks'])
  )
})

test('the image of the tool holds the packages it needs, and none that are there for development alone', () => {
  const has = (/** @type {string} */ name) => pathsToolImage.includes(join('node_modules', name))
  for (const name of Object.keys(dependencies)) assert.ok(has(name), name)
  // some are needed by what this needs, too
  const forDevelopment = Object.keys(devDependencies).filter(name => packages[`node_modules/${name}`].dev)
  assert.ok(forDevelopment.includes('typescript'))
  for (const name of forDevelopment) assert.ok(!has(name), name)
})

test('everything named is there, once, and the hash stays the same while nothing changes', async () => {
  assert.deepEqual([appToolImage, dockerfile], ['.', TOOL_DOCKERFILE])
  for (const path of pathsToolImage) assert.ok(existsSync(join(rootToolImage, path)), path)
  const all = new Set(pathsToolImage)
  assert.equal(all.size, pathsToolImage.length)
  for (const path of pathsToolImage)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      assert.ok(!all.has(path.slice(0, at)), `${path} twice`)
  assert.equal((await TOOL_PROGRAM.context()).hash, hashToolImage)
})

/** @param {import('../../src/target/images.js').Message[]} messages */
const told = messages =>
  messages
    .map(makeProgressReader())
    .filter(progress => progress !== null)
    .map(({ done, total, unit }) => `${done} / ${total} ${unit}`)

test('a build tells its steps', () => {
  const messages = [
    { stream: 'Step 1/11 : FROM x\n' },
    { stream: ' ---> 65611c9437a4\n' },
    { stream: 'Step 2/11 : COPY . /app\n' },
    { stream: 'Successfully built 65611c9437a4\n' }
  ]
  assert.deepEqual(told(messages), ['1 / 11 steps of its image', '2 / 11 steps of its image'])
})

test('a pull tells its layers, each once when it is known and once when it is there', () => {
  const [a, b] = ['0123456789ab', 'ba9876543210']
  const messages = [
    { status: 'Pulling from library/node', id: '22-slim' },
    { status: 'Pulling fs layer', id: a },
    { status: 'Already exists', id: b },
    { status: 'Downloading', id: a },
    { status: 'Pull complete', id: a },
    { status: 'Status: Downloaded newer image for node:22-slim' }
  ]
  assert.deepEqual(
    told(messages),
    ['0 / 1', '1 / 2', '2 / 2'].map(count => `${count} layers of its base image`)
  )
})

/** @param {Error | null} error @param {import('../../src/target/images.js').Message[]} messages */
async function follow(error, messages) {
  /** @type {string[]} */
  const told = []
  const modem = {
    followProgress(/** @type {any} */ _, /** @type {any} */ onFinished, /** @type {any} */ onMessage) {
      for (const message of messages) onMessage(message)
      onFinished(error, messages)
    }
  }
  await awaitEngineProgress(/** @type {any} */ ({ modem }), /** @type {any} */ (null), ({ text }) =>
    told.push(text)
  )
  return told
}

test('a build is followed to its end', async () => {
  assert.deepEqual(await follow(null, [{ stream: 'Step 1/2 : FROM x' }, { stream: 'done' }]), ['FROM x'])
})

test('a build fails with what the engine gives as the reason, or with what happened to the engine', async () => {
  await assert.rejects(
    follow(null, [{ stream: 'a' }, { error: 'no space left\n' }]),
    new Error('no space left')
  )
  await assert.rejects(follow(new Error('socket hang up'), [{ error: 'x' }]), new Error('socket hang up'))
})
