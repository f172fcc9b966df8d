import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import {
  countMemoryKills,
  countUsableCores,
  findFullestProcessGroup,
  parseStatFields,
  readMemoryLimit,
  readQuotaCores,
  readThrottledMs
} from '../../src/kit/linux.js'

/** @param {Record<string, string>} files @returns {(path: string) => string} */
const of = files => path => files[path] ?? ''

/** @type {Record<string, Record<string, string>>} as Linux 6.18 writes them */
const FILES = {
  'version 1': {
    '/proc/self/cgroup':
      '9:name=systemd:/\n8:pids:/jobs\n4:memory:/jobs/one\n2:cpu,cpuacct:/jobs/one\n0::/\n',
    '/sys/fs/cgroup/cpu/jobs/one/cpu.cfs_quota_us': '-1\n',
    '/sys/fs/cgroup/cpu/jobs/one/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/cpu/jobs/one/cpu.stat': 'nr_periods 0\nnr_throttled 0\nthrottled_time 0\n',
    '/sys/fs/cgroup/cpu/jobs/cpu.cfs_quota_us': '50000\n',
    '/sys/fs/cgroup/cpu/jobs/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/cpu/jobs/cpu.stat': 'nr_periods 90\nnr_throttled 80\nthrottled_time 8400000000\n',
    '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
    '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes': '9223372036854771712\n',
    '/sys/fs/cgroup/memory/jobs/one/memory.oom_control': 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n',
    '/sys/fs/cgroup/memory/jobs/memory.limit_in_bytes': '104857600\n',
    '/sys/fs/cgroup/pids/jobs/pids.max': '40\n',
    '/sys/fs/cgroup/pids/jobs/pids.current': '38\n'
  },
  'version 2': {
    '/proc/self/cgroup': '0::/jobs/one\n',
    '/sys/fs/cgroup/jobs/one/cpu.max': 'max 100000\n',
    '/sys/fs/cgroup/jobs/one/cpu.stat': 'usage_usec 9\nnr_throttled 0\nthrottled_usec 0\n',
    '/sys/fs/cgroup/jobs/cpu.max': '50000 100000\n',
    '/sys/fs/cgroup/jobs/cpu.stat': 'usage_usec 9\nnr_throttled 80\nthrottled_usec 8400000\n',
    '/sys/fs/cgroup/jobs/one/memory.max': 'max\n',
    '/sys/fs/cgroup/jobs/one/memory.events': 'low 0\nhigh 0\nmax 9\noom 4\noom_kill 3\noom_group_kill 0\n',
    '/sys/fs/cgroup/jobs/memory.max': '104857600\n',
    '/sys/fs/cgroup/jobs/memory.events': 'oom_kill 7\n',
    '/sys/fs/cgroup/jobs/one/pids.max': 'max\n',
    '/sys/fs/cgroup/jobs/pids.max': '40\n',
    '/sys/fs/cgroup/jobs/pids.current': '38\n'
  },
  'version 1 in a container, at a path of the host': {
    '/proc/self/cgroup': '8:pids:/docker/1f\n4:memory:/docker/1f\n2:cpu:/docker/1f\n',
    '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '50000\n',
    '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    '/sys/fs/cgroup/cpu/cpu.stat': 'nr_periods 90\nnr_throttled 80\nthrottled_time 8400000000\n',
    '/sys/fs/cgroup/memory/memory.limit_in_bytes': '104857600\n',
    '/sys/fs/cgroup/memory/memory.oom_control': 'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n',
    '/sys/fs/cgroup/pids/pids.max': '40\n',
    '/sys/fs/cgroup/pids/pids.current': '38\n'
  }
}

describe('what control groups allow this process', () => {
  for (const [version, files] of Object.entries(FILES))
    it(`by ${version} is what the narrowest of them does`, () => {
      const read = of(files)
      assert.deepEqual(
        [readQuotaCores(read), readThrottledMs(read), readMemoryLimit(read), countMemoryKills(read)],
        [0.5, 8400, 104857600, 3]
      )
      assert.equal(countUsableCores(read), 1)
      assert.deepEqual(findFullestProcessGroup(read), { used: 38, allowed: 40 })
    })

  it('is everything, or not known, where none says a thing', () => {
    const none = of({})
    assert.deepEqual(
      [readQuotaCores, readThrottledMs, readMemoryLimit, countMemoryKills, findFullestProcessGroup].map(ask =>
        ask(none)
      ),
      Array(5).fill(null)
    )
    assert.equal(readQuotaCores(of({ '/sys/fs/cgroup/cpu.max': 'max 100000\n' })), null)
  })
})

test('the name of a process may hold spaces and brackets', () => {
  assert.deepEqual(parseStatFields('17 (a (b) c) d) S 4 17 17 0').slice(0, 3), ['S', '4', '17'])
})
