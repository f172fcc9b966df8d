import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  describeNamespaceProblem,
  describeRouterProblem,
  lowPriorityCommand,
  makeEnterCommand,
  Namespaces,
  niceLevelOf,
  readCongestionControls,
  tryCommand,
  tryImpairmentMethods
} from '../../src/network/namespaces.js'

const HELD = { pid: 42, descriptors: [7] }

/** A kernel of which some commands are refused. @param {RegExp} without @param {string[][]} [asked] - is told them */
const kernel =
  (without, asked = []) =>
  (/** @type {readonly string[]} */ command) => {
    asked.push([...command])
    return without.test(command.join(' ')) ? 'Error: not here.' : null
  }

/** @param {RegExp} without */
const lacking = without => tryImpairmentMethods(HELD, kernel(without)).map(({ step, lacks }) => [step, lacks])

describe('the ladder of what could make impairments', () => {
  test('is tried in a namespace of the run that nobody uses', () => {
    /** @type {string[][]} */
    const asked = []
    tryImpairmentMethods(HELD, kernel(/none/, asked))
    assert.ok(asked.length >= 4)
    for (const command of asked)
      assert.match(command.join(' '), /^setpriv --pdeathsig KILL nsenter -t 42 -U --preserve-credentials -n /)
  })

  test('without netem says so', () =>
    assert.deepEqual(lacking(/netem/), [
      ['netem', 'Error: not here.'],
      ['rules', null],
      ['router', null]
    ]))

  for (const part of [/ nft /, / tbf /, /gso_max_segs/])
    test(`has rules only with all their parts, ${part} too`, () =>
      assert.deepEqual(lacking(part)[1], ['rules', 'Error: not here.']))

  test('takes the router, and says why what works above it is passed over', () => {
    const rungs = tryImpairmentMethods(HELD, kernel(/none/))
    assert.deepEqual(rungs.at(-1), { step: 'router', lacks: null, passedOver: null })
    for (const { lacks, passedOver } of rungs.slice(0, -1)) {
      assert.equal(lacks, null)
      assert.match(String(passedOver), /router|latency/)
    }
  })
})

const run = promisify(execFile)

describe('nodes beside a router', () => {
  it('have the share of one process together', () => {
    // 1024 / 1.25^nice is the weight of each, sched(7)
    for (const nodes of [1, 2, 8, 24, 60])
      assert.ok(Math.abs((nodes * 1024) / 1.25 ** niceLevelOf(nodes) / 1024 - 1) < 0.15, `${nodes} nodes`)
  })

  it('are as nice as can be when they are many', () => assert.equal(niceLevelOf(1000), 19))

  it('become what they are to be, arguments as they are', async () => {
    const [command, ...args] = [...lowPriorityCommand(8), 'node', '-p', 'process.argv[1]', 'a b "c" $d']
    assert.equal((await run(command, args)).stdout, 'a b "c" $d\n')
  })

  it('are nice, and their session is', {
    skip: !existsSync('/proc/self/autogroup') && 'no autogroups here'
  }, async () => {
    const told = 'require("fs").readFileSync("/proc/self/autogroup", "latin1") + os.getPriority()'
    // a session of its own, as each node has
    const { stdout } = await run('setsid', ['-w', ...lowPriorityCommand(30), 'node', '-p', told])
    assert.match(stdout, /nice 15\n15\n$/)
  })
})

const HELD_BY = { pid: 7, descriptors: [10, 11] }

test('a namespace of ours is entered through its user namespace, by its own file', () => {
  assert.deepEqual(makeEnterCommand(HELD_BY, 1), [
    ...['setpriv', '--pdeathsig', 'KILL', 'nsenter', '-t', '7', '-U', '--preserve-credentials'],
    '--net=/proc/7/fd/11'
  ])
})

test('that of a container is entered without one, and one without a device where none is named', () => {
  assert.deepEqual(makeEnterCommand({ ...HELD_BY, ofOthers: true }, 0), [
    ...['setpriv', '--pdeathsig', 'KILL', 'nsenter', '-t', '7'],
    '--net=/proc/7/fd/10'
  ])
  assert.equal(makeEnterCommand(HELD_BY).at(-1), '-n')
})

describe('what cannot hold namespaces', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadtest-namespaces-'))
  const { PATH } = process.env
  afterEach(() => {
    process.env.PATH = PATH
  })
  after(() => rmSync(folder, { recursive: true }))

  /** Where commands are looked for in a folder that has no other ones. */
  const inFolder = () => {
    process.env.PATH = folder
    /** @type {string[]} */
    const died = []
    const nothing = () => {}
    const namespaces = new Namespaces(
      { namespaces: 2, congestion: 'host' },
      { onPacket: nothing, onChunk: nothing, onAnswer: nothing, onDied: error => died.push(error.message) }
    )
    return { namespaces, died }
  }

  test('is told where it cannot be started, also when that is known before it is opened', async () => {
    const { namespaces, died } = inFolder()
    await setImmediate()
    await assert.rejects(namespaces.open(), { code: 'ENOENT' })
    assert.deepEqual(died, [])
  })

  test('is told with what it said, where it ended before it was opened', { timeout: 30_000 }, async () => {
    const command = join(folder, 'setpriv')
    writeFileSync(command, '#!/bin/sh\necho unshare: not here >&2\nexit 3\n')
    chmodSync(command, 0o755)
    const { namespaces, died } = inFolder()
    while (died.length === 0) await setImmediate()
    await assert.rejects(namespaces.open(), /ended with exit code 3: unshare: not here$/)
  })
})

/** @type {string} */
let root
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'loadtest-requirements-'))
})
after(() => rm(root, { recursive: true }))

/** A folder with commands that answer --version, and otherwise fail with some words, or do not. @param {string | null} words */
async function commands(words) {
  const folder = await mkdtemp(join(root, 'bin-'))
  const rest = words === null ? 'exit 0' : `echo "${words}" >&2; echo more >&2; exit 1`
  for (const name of ['setpriv', 'unshare', 'nsenter']) {
    const file = join(folder, name)
    await writeFile(file, `#!/bin/sh\n[ "$1" = --version ] && exit 0\n${rest}\n`)
    await chmod(file, 0o755)
  }
  return folder
}

/** Nothing else runs meanwhile: it waits for nothing. @template T @param {string} path @param {() => T} work */
function withPath(path, work) {
  const { PATH } = process.env
  process.env.PATH = path
  try {
    return work()
  } finally {
    process.env.PATH = PATH
  }
}

/** @template T @param {'arch' | 'platform'} name @param {string} value @param {() => T} work */
function withProcess(name, value, work) {
  const own = /** @type {PropertyDescriptor} */ (Object.getOwnPropertyDescriptor(process, name))
  Object.defineProperty(process, name, { ...own, value })
  try {
    return work()
  } finally {
    Object.defineProperty(process, name, own)
  }
}

test('what a command says when it fails is told, its first line, and that there is no such command', () => {
  assert.equal(tryCommand(['sh', '-c', 'exit 0']), null)
  assert.equal(tryCommand(['sh', '-c', 'echo wrong >&2; echo more >&2; exit 3']), 'wrong')
  assert.equal(tryCommand(['no-such-command-here']), 'no-such-command-here: ENOENT')
})

describe('where no namespaces can be made', { skip: process.platform !== 'linux' }, () => {
  test('a command that is missing is named, with how to get it and what to run instead', async () => {
    const empty = await mkdtemp(join(root, 'empty-'))
    const found = withPath(empty, () => describeNamespaceProblem('or wait'))
    assert.equal(found, 'needs setpriv: install util-linux; or wait')
  })

  for (const [words, cure] of /** @type {[string, RegExp][]} */ ([
    ['setpriv: failed to execute perl: No such file', /\): install perl-base; or wait$/],
    ['cannot open /dev/net/tun: Permission denied', /\): run .*chmod 666 \/dev\/net\/tun.* as root once/],
    ['unshare: unshare failed: Operation not permitted', /\): allow user namespaces /],
    ['something unheard of', /\(something unheard of\); or wait$/]
  ]))
    test(`the words are given, and what to do where that is known: ${words}`, async () => {
      const folder = await commands(words)
      const lack = withPath(folder, () => describeNamespaceProblem('or wait'))
      assert.ok(lack?.startsWith(`cannot be made here (${words})`), String(lack))
      assert.match(String(lack), cure)
    })

  test('the processor is named where it is one whose system calls are not known', async () => {
    const folder = await commands(null)
    const lack = withPath(folder, () =>
      withProcess('arch', 'mips', () => describeNamespaceProblem('or wait'))
    )
    assert.equal(lack, 'cannot be made here: namespaces are made on x64 and arm64, not on mips; or wait')
    const ofContainers = withPath(folder, () => withProcess('arch', 'mips', () => describeRouterProblem()))
    assert.match(String(ofContainers), /^has no router that could do it here: .* not on mips$/)
  })

  test('another system than Linux is none for them', async () => {
    const folder = await commands(null)
    const lack = withPath(folder, () =>
      withProcess('platform', 'darwin', () => describeNamespaceProblem('or wait'))
    )
    assert.equal(lack, 'needs Linux; or wait')
    const found = withPath(folder, () => describeNamespaceProblem())
    assert.equal(found, null)
  })
})

describe('where the namespaces of containers cannot be joined', {
  skip: process.platform !== 'linux'
}, () => {
  test('root is asked for where that is what it takes, a cure where it is known', async () => {
    for (const [words, how] of [
      ['unshare: Operation not permitted', '): run it as root, for only root can; or use --linkLatency 0'],
      ['failed to execute perl', '): install perl-base; or use --linkLatency 0'],
      ['something unheard of', '(something unheard of); or use --linkLatency 0']
    ]) {
      const folder = await commands(words)
      const lack = String(withPath(folder, () => describeRouterProblem()))
      assert.ok(lack.startsWith(`has no router that could do it here (${words})`), lack)
      assert.ok(lack.includes(how), lack)
    }
  })

  test('nothing is lacking where it works', async () => {
    const folder = await commands(null)
    const found = withPath(folder, () => describeRouterProblem())
    assert.equal(found, null)
  })
})

test('congestion controls that a namespace may take are names', {
  skip: process.platform !== 'linux'
}, () => {
  for (const name of readCongestionControls()) assert.match(name, /^\w+$/)
})
