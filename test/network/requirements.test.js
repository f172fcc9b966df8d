import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  describeNamespaceProblem,
  describeRouterProblem,
  readCongestionControls,
  tryCommand
} from '../../src/network/namespaces.js'

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
      ['unshare: Operation not permitted', '): run it as root, for only root can; or take --linkLatency 0'],
      ['failed to execute perl', '): install perl-base; or take --linkLatency 0'],
      ['something unheard of', '(something unheard of); or take --linkLatency 0']
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
