import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { call, INDEX, newFolder, startProgram, TIMEOUT } from './loadtest.js'
import { ON_LINUX } from './processes.js'

const PEER = '12D3KooWGjMCwDWeCzgZ1tAFuUbBLRqHgtdVMZxqYsD9GPXMzSzd'

/**
 * Flags that are given together, and a line of the list of problems for each: flag, value, and what is allowed. Every option has its
 * own tests in test/plan.
 *
 * @type {[string[], [string, RegExp][]][]}
 */
const REFUSED = [
  [
    [
      ...['--nClients', '0', '--nNamespaces', '-1', '--initialRegistrations', '1e3', '--benchmarkRuns=0.5'],
      ...['--benchmarkType', 'delete', '--rate', 'fast', '--ttl', '90h', '--target', '127.0.0.1:8000']
    ],
    [
      ['--nClients 0', /must be a whole number from 1 to 100,000/],
      ['--nNamespaces -1', /must be a whole number from 1 to 1,000,000/],
      ['--initialRegistrations 1e3', /must be a whole number from 0 to 10,000,000/],
      ['--benchmarkRuns 0.5', /must be a whole number/],
      ['--benchmarkType delete', /must be REGISTER, DISCOVER, UNREGISTER or MIXED/],
      ['--rate fast', /must be a rate .* such as 500, 500\/s or 30000\/min/],
      ['--ttl 90h', /from 1s to 72h/],
      ['--target 127.0.0.1:8000', /must be the TCP address of one peer with its id/]
    ]
  ],
  [
    [
      ...['--nClients', 'many', '--duration', '10', '--benchmarkType', 'mixed', '--mix', 'lookup=1'],
      ...['--target', `/ip4/8.8.8.8/tcp/8000/p2p/${PEER}`, '--nClient', '5'],
      ...['--outputFile', 'no/such/folder/table.md', '--config', 'nowhere.yaml']
    ],
    [
      ['--nClients many', /must be a whole number from 1 to 100,000/],
      ['--duration 10', /must be a time with its unit .* such as 500ms, 10s or 2h/],
      ['--mix lookup=1', /such as register=1,discover=8,unregister=1/],
      [`--target /ip4/8.8.8.8/tcp/8000/p2p/${PEER}`, /public address.*--iOwnTheTarget/],
      ['--nClient 5', /is no option; did you mean --nClients\?/],
      ['--outputFile no/such/folder/table.md', /there is no folder no\/such\/folder/],
      ['--config nowhere.yaml', /does not exist/]
    ]
  ],
  [
    [
      ...['--nClients', '5', '--nClients', '6', '--targetPid', '1', '--arrivals', 'poisson'],
      ...['--discoverLimit', '1001', '--discoverInexistentNamespaces']
    ],
    [
      ['--nClients 5, 6', /must be given only once/],
      ['--targetPid 1', /needs --target/],
      ['--arrivals poisson', /needs --rate/],
      ['--discoverLimit 1001', /above the server's cap of 1,000.*as --target/],
      ['--discoverInexistentNamespaces', /REGISTER discovers nothing/]
    ]
  ],
  [
    ['--maxPeerRegistrations', '10', '--registerMode', 'new', '--benchmarkRuns', '500'],
    [
      [
        '--benchmarkRuns 500',
        /makes 125 registrations by each client, above the server's cap of 10 for one peer: use --nClients 50/
      ]
    ]
  ],
  [
    [
      ...['--duration', '5s', '--benchmarkRuns', '5', '--minDuration', '1s'],
      ...['--inFlight', '4', '--rate', '10', '--workers', '5']
    ],
    [
      ['--minDuration 1s', /goes with --benchmarkRuns alone: choose it or --duration/],
      ['--inFlight 4', /has no use with --rate/],
      ['--workers 5', /must be at most --nClients 4/]
    ]
  ],
  [['rendezvouz'], [['rendezvouz', /is no command; did you mean rendezvous\?/]]]
]

/** @param {import('./program.js').Ended} ended @returns {string[]} the list of problems, below how many there are */
function problemsOf({ code, stdout, stderr }) {
  assert.deepEqual([code, stdout], [2, ''], stderr)
  assert.match(stderr, /\nSee node index\.js --help\n$/)
  return stderr.split('\n').slice(0, -2)
}

describe('bad flags: exit code 2, each named with its value and what is allowed', () => {
  for (const [args, problems] of REFUSED)
    test(args.join(' '), TIMEOUT, async () => {
      const [head, ...lines] = problemsOf(await call(args))
      assert.equal(head, problems.length === 1 ? '1 problem:' : `${problems.length} problems:`)
      assert.equal(lines.length, problems.length, lines.join('\n'))
      for (const [given, allowed] of problems) {
        const line = lines.find(each => each.startsWith(`  ${given} `))
        assert.ok(line, `${given} in\n${lines.join('\n')}`)
        assert.match(line, allowed)
      }
    })

  test('those of a file too; nothing is started, nothing written', { ...TIMEOUT, ...ON_LINUX }, async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'load.yaml'), 'nClients: 0\nsneeze: 1\n')
    const flags = ['--benchmarkType', 'delete', '--timeout', '5', '--nsuch', 'x']
    const program = startProgram(INDEX, ['--config', 'load.yaml', ...flags], { cwd })
    const lines = problemsOf(await program.ended)
    assert.deepEqual(await program.leftAfter(0), [])
    assert.deepEqual(await readdir(cwd), ['load.yaml'])
    assert.equal(lines[0], '5 problems:')
    for (const given of [
      /load\.yaml: nClients 0 /,
      /load\.yaml: sneeze 1 /,
      /--benchmarkType delete /,
      /--timeout 5 /,
      /--nsuch x /
    ])
      assert.equal(lines.filter(line => given.test(line)).length, 1, String(given))
  })
})
