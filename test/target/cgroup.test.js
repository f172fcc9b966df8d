import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findCgroupFiles, readCgroup } from '../../src/target/container.js'

const ID = '0e19e6bea7c10a6293181fcfa63831722af729e96894f21e098cbbaa21e8456f'

const MEMBERSHIP = {
  1: `9:name=systemd:/docker/${ID}
4:memory:/docker/${ID}
2:cpu,cpuacct:/docker/${ID}
0::/system.slice/docker.service
`,
  2: `0::/system.slice/docker-${ID}.scope\n`
}

const FILES = {
  1: {
    version: 1,
    cpu: `/sys/fs/cgroup/cpuacct/docker/${ID}/cpuacct.usage`,
    memory: `/sys/fs/cgroup/memory/docker/${ID}/memory.usage_in_bytes`,
    memoryStat: `/sys/fs/cgroup/memory/docker/${ID}/memory.stat`
  },
  2: {
    version: 2,
    cpu: `/sys/fs/cgroup/system.slice/docker-${ID}.scope/cpu.stat`,
    memory: `/sys/fs/cgroup/system.slice/docker-${ID}.scope/memory.current`,
    memoryStat: `/sys/fs/cgroup/system.slice/docker-${ID}.scope/memory.stat`
  }
}

describe('the files of a control group are found', () => {
  for (const version of /** @type {const} */ ([1, 2]))
    test(`of version ${version}`, () =>
      assert.deepEqual(findCgroupFiles(MEMBERSHIP[version], ID), FILES[version]))
})

describe('no files are taken', () => {
  for (const [what, text] of [
    ['of another process', '0::/user.slice/user-1000.slice\n'],
    ['that only a namespace further out can see', `0::/../docker-${ID}.scope\n`],
    ['when there is no memory control', `2:cpu,cpuacct:/docker/${ID}\n`],
    ['when the process is gone', '']
  ])
    test(what, () => assert.equal(findCgroupFiles(text, ID), null))
})

describe('a reading is CPU time and memory without the page cache', () => {
  const texts = {
    1: ['95163817\n', '8130560\n', 'cache 1\ninactive_file 4096\ntotal_inactive_file 1208320\n'],
    2: [
      'usage_usec 95163\nuser_usec 90000\nsystem_usec 5163\n',
      '8130560\n',
      'anon 1\ninactive_file 1208320\n'
    ]
  }
  for (const version of /** @type {const} */ ([1, 2]))
    test(`version ${version}`, async () => {
      const files = /** @type {import('../../src/target/container.js').CgroupFiles} */ (FILES[version])
      const paths = [files.cpu, files.memory, files.memoryStat]
      const read = async (/** @type {string} */ file) => texts[version][paths.indexOf(file)]
      const { atMs, cpuMs, rssBytes } = await readCgroup(files, { read, clock: () => 7 })
      assert.deepEqual(
        [atMs, Math.round(cpuMs * 1000), rssBytes],
        [7, version === 1 ? 95_164 : 95_163, 6_922_240]
      )
    })
})
