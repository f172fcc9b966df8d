import '../../src/kit/runtime.js'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { lineSchema } from '../../src/report/schema.js'
import { base, INDEX, newFolder } from '../acceptance/loadtest.js'

const TEXT = readFileSync('docs/ci.md', 'utf8')
const [, YAML = ''] = /```yaml\n(# \.github\/workflows\/[\s\S]*?)```/.exec(TEXT) ?? []

/** @typedef {{ name?: string, run?: string, uses?: string, if?: string, with?: Record<string, string> }} Step */
/** @type {{ on: string[], permissions: object, jobs: Record<string, { 'runs-on': string, steps: Step[] }> }} */
const workflow = parse(YAML)
const { steps } = workflow.jobs.load
const commands = steps.flatMap(({ run }) => run ?? [])

/** As GitHub's runner starts a step. @param {string} command @param {string} cwd @param {Record<string, string>} env */
async function step(command, cwd, env) {
  const child = spawn('bash', ['-e', '-c', command], {
    cwd,
    // what it leaves behind ends with the job
    detached: true,
    env: { ...process.env, XDG_CACHE_HOME: join(base, 'cache'), ...env }
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output += chunk
    })
  const [code] = await once(child, 'close')
  try {
    process.kill(-Number(child.pid), 'SIGKILL')
  } catch {
    // nothing is left of it
  }
  return { code, output }
}

/** @param {string} text - JUnit XML */
const unmet = text => {
  const [, failures, errors] = /<testsuites [^>]*failures="(\d+)" errors="(\d+)"/.exec(text) ?? []
  return Number(failures) + Number(errors)
}

describe('the workflow of docs/ci.md', () => {
  test('is one that GitHub takes: what is used has a version, steps after one that failed are made', () => {
    assert.deepEqual(workflow.on, ['push', 'pull_request'])
    assert.equal(workflow.jobs.load['runs-on'], 'ubuntu-latest')
    for (const { uses } of steps) if (uses !== undefined) assert.match(uses, /^actions\/[a-z-]+@v\d+$/)
    assert.deepEqual(commands.slice(0, 2), ['npm ci', 'mkdir -p reports'])
    for (const { name, if: when } of steps.slice(5)) assert.equal(when, `\${{ !cancelled() }}`, name)
    assert.deepEqual(steps.at(-1)?.with?.path.trim().split('\n'), ['reports', 'results'])
  })

  describe('run as it stands', { timeout: 900_000 }, () => {
    /** @type {string} */
    let cwd
    /** @type {{ command: string, code: number, output: string }[]} */
    const ended = []
    before(async () => {
      cwd = await newFolder()
      await symlink(INDEX, join(cwd, 'index.js'))
      const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
      // what it needs is installed
      for (const command of commands.slice(1)) ended.push({ command, ...(await step(command, cwd, env)) })
    })
    after(() => {
      ended.length = 0
    })

    test('each step comes to its end', () => {
      assert.equal(ended.length, 4)
      // how fast this machine is decides about thresholds on times
      for (const { command, code, output } of ended) {
        const allowed = command.includes('REGISTER.p99') ? [0, 3] : [0]
        assert.ok(allowed.includes(code), `${command}\nexit code ${code}\n${output}`)
      }
    })

    test('each file of JUnit is there, and says the same as the exit code', async () => {
      for (const { command, code } of ended.slice(1)) {
        const [, file] = /--junit (\S+)/.exec(command) ?? []
        assert.ok(file, command)
        assert.equal(unmet(await readFile(join(cwd, file), 'utf8')) > 0, code !== 0, command)
      }
    })

    test('the lines are as the schema says', async () => {
      const lines = (await readFile(join(cwd, 'reports/load.jsonl'), 'utf8')).trimEnd().split('\n')
      const types = lines.map(line => lineSchema.parse(JSON.parse(line)).type)
      assert.deepEqual([types[0], types.at(-1)], ['start', 'end'])
      for (const type of ['phase', 'progress', 'sample'])
        assert.ok(types.includes(/** @type {any} */ (type)), type)
    })

    test('the summary has a part for each, and results are where the artifact takes them from', async () => {
      const summary = await readFile(join(cwd, 'summary.md'), 'utf8')
      assert.deepEqual(
        [...summary.matchAll(/^### (\w+) /gm)].map(([, kind]) => kind),
        ['conform', 'rendezvous', 'gossip']
      )
      assert.equal((await readdir(join(cwd, 'results'))).length, 2)
    })
  })
})
