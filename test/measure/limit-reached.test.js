import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noRoomForProcess, watchLimits } from '../../src/measure/resources.js'

/** @param {Record<string, string>} files @param {{ user?: number }} [who] */
const system = (files, { user = 1000 } = {}) => ({
  read: (/** @type {string} */ path) => files[path] ?? '',
  user: () => user,
  processes: () => ['7', '8', '9']
})

/** @param {string | number} most @param {string | number} [addresses] */
const limits = (most, addresses = 'unlimited') => ({
  '/proc/self/limits': `Limit  Soft Limit  Hard Limit  Units\nMax processes             ${most}   96365   processes\nMax address space         ${addresses}   unlimited   bytes\n`
})
const USED = {
  '/proc/7/status': 'Name:\tnode\nUid:\t1000\t1000\t1000\t1000\nThreads:\t11\n',
  '/proc/8/status': 'Name:\tnode\nUid:\t1000\t1000\t1000\t1000\nThreads:\t10\n',
  '/proc/9/status': 'Name:\tnode\nUid:\t1\t1\t1\t1\nThreads:\t90\n'
}

describe('room for one more process', () => {
  for (const [what, found, lack] of /** @type {[string, ReturnType<typeof system>, RegExp | null][]} */ ([
    ['ulimit -u', system({ ...limits(25), ...USED }), /^this user has 21 of 25 processes .* ulimit -u$/],
    ['ulimit -u that is high enough', system({ ...limits(40), ...USED }), null],
    ['ulimit -u of root, whom it does not hold', system({ ...limits(25), ...USED }, { user: 0 }), null],
    [
      'a control group',
      system({ '/sys/fs/cgroup/pids.max': '40\n', '/sys/fs/cgroup/pids.current': '38\n' }),
      /^its control group has 38 of the 40 processes .*\(pids\.max\)$/
    ],
    ['nothing that is known', system({}), null]
  ]))
    it(`under ${what}`, () => {
      const said = noRoomForProcess(found)
      if (lack === null) assert.equal(said, null)
      else assert.match(String(said), lack)
    })
})

describe('a process that ended', () => {
  const killed = { signal: 'SIGKILL', started: true }
  const events = (/** @type {number} */ kills) => ({ '/sys/fs/cgroup/memory.events': `oom_kill ${kills}\n` })

  for (const [limit, words] of [
    ['104857600\n', ': memory ran out, for its control group may have 105 MB'],
    ['max\n', ': memory ran out on this machine']
  ])
    it(`for want of memory says how much there was: ${limit.trim()}`, () => {
      /** @type {Record<string, string>} */
      const files = { ...events(3), '/sys/fs/cgroup/memory.max': limit }
      const cause = watchLimits(system(files))
      Object.assign(files, events(4))
      assert.equal(cause(killed), words)
    })

  it('because somebody killed it names no limit', () =>
    assert.equal(watchLimits(system({ ...events(3), ...limits(25), ...USED }))(killed), ''))

  it('while it started names the limit that it met', () => {
    const started = false
    assert.match(watchLimits(system({ ...limits(25), ...USED }))({ signal: 'SIGABRT', started }), /ulimit -u/)
    assert.match(watchLimits(system(limits('unlimited', 8e8)))({ started }), /^: .*800 MB .* ulimit -v$/)
    assert.equal(watchLimits(system(limits('unlimited')))({ started }), '')
  })

  it('after it had started, by itself, names none', () =>
    assert.equal(watchLimits(system({ ...limits(25), ...USED }))({ started: true }), ''))
})
