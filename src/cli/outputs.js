// Outputs of a run besides the terminal: JSON lines, the live dashboard, Prometheus metrics, check files for CI servers.

import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { findLoopbackHost } from '../kit/host-address.js'
import { escapeInvisible } from '../kit/safe-text.js'
import { makeClock } from '../kit/time.js'
import { STANDARD_OUTPUT } from '../plan/options.js'
import { hasRequirements } from '../report/checks.js'
import { describeRun } from '../report/describe-run.js'
import { replaceFile } from '../report/result-folder.js'
import { EXIT, formatError } from './exit.js'

/**
 * @typedef {import('../report/result-folder.js').Consumer} Consumer
 * @typedef {import('./index.js').ProcessIo} ProcessIo
 *
 * @typedef {object} LineOutput - what is written while a run or a study goes on
 * @property {(of: import('../report/run-report.js').LineOf) => Consumer[]} ofRun - takes the records of a run; none where nothing is written
 * @property {(study: { document: import('../studies/study.js').StudyHead, folder: string, state: 'begin' | 'end' }) => Promise<void>} ofStudy
 * @property {() => Promise<void>} close
 */

/** @type {LineOutput} */
const NOTHING = { ofRun: () => [], async ofStudy() {}, async close() {} }

/**
 * @typedef {object} Sink
 * @property {(line: any) => Promise<void>} write
 * @property {(run: string, description: import('../report/schema.js').Description) => void} [describe] - takes the result so far
 * @property {() => Promise<void>} close
 */

/** @param {object} line */
const textOf = line => `${JSON.stringify(line)}\n`

/** @param {ProcessIo['stdout']} stdout @returns {Sink} */
const toStream = stdout => ({
  write: async line => void stdout.write(textOf(line)),
  async close() {}
})

/** Writes into a file that is opened with the first line, so that a refused command does not truncate an earlier file. @param {string} path @returns {Sink} */
function toFile(path) {
  /** @type {import('node:fs').WriteStream | undefined} */
  let stream
  const opened = () => {
    // errors are reported by write
    stream ??= createWriteStream(path).on('error', () => {})
    return stream
  }
  return {
    write: line =>
      new Promise((resolve, reject) => {
        opened().write(textOf(line), error => (error == null ? resolve() : reject(error)))
      }),
    close: () =>
      new Promise(resolve => {
        if (stream === undefined || stream.closed) return resolve()
        stream.once('close', () => resolve())
        stream.end()
      })
  }
}

/**
 * openLines opens the output of lines: --jsonLines and other sinks.
 *
 * @param {string | null} path - `-`: standard output; null: no --jsonLines
 * @param {Pick<ProcessIo, 'stdout' | 'now'>} io
 * @param {readonly Sink[]} [others]
 * @returns {Promise<LineOutput>}
 */
export async function openLines(path, { stdout, now }, others = []) {
  const own = path === null ? [] : [path === STANDARD_OUTPUT ? toStream(stdout) : toFile(path)]
  const sinks = [...own, ...others]
  if (sinks.length === 0) return NOTHING
  const { makeJsonLinesWriter } = await import('../report/run-report.js')
  const clock = makeClock(now())
  const write = async (/** @type {object} */ line) => {
    for (const sink of sinks) await sink.write(line)
  }
  return {
    ofRun: of => [
      { add: makeJsonLinesWriter(of, write, clock), close() {} },
      ...sinks.flatMap(({ describe }) => (describe === undefined ? [] : [describing(describe, of.view)]))
    ],
    ofStudy({ document, folder, state }) {
      const { id, status, reason } = document
      return write({ type: 'study', at: clock().toISOString(), run: id, state, status, reason, folder })
    },
    async close() {
      for (const sink of sinks) await sink.close()
    }
  }
}

/** @param {NonNullable<Sink['describe']>} describe @param {import('../report/run-report.js').View} view @returns {Consumer} */
const describing = (describe, view) => ({
  add(record) {
    if (record.type === 'partial' || record.type === 'result')
      describe(record.result.id, describeRun(record.result, view))
  },
  close() {}
})

/**
 * redirectStdout replaces standard output by standard error, if --jsonLines writes to standard output.
 *
 * @param {{ jsonLines: string | null }} output
 * @param {ProcessIo} io
 * @returns {ProcessIo}
 */
export const redirectStdout = ({ jsonLines }, io) =>
  jsonLines === STANDARD_OUTPUT ? { ...io, stdout: io.stderr } : io

/**
 * @typedef {import('../plan/plan.js').Problem} Problem
 *
 * @typedef {object} Dashboard - a page that shows a run while it goes on
 * @property {string | null} url - where it is; null: there is none
 * @property {Sink[]} sinks - take the lines that it shows
 * @property {() => Promise<void>} stop
 */

/** Other programs of this machine cannot guess an address of this length. */
const TOKEN_BYTES = 24

/** Other pages cannot embed the page, caches do not store it, and links from it do not reveal its address. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff'
}

/**
 * serveDashboard serves a page that shows a run. Its address is secret.
 *
 * @param {number | null} port - 0: any that is free; null: nothing is served
 * @returns {Promise<Dashboard | { problem: Problem }>}
 */
export async function serveDashboard(port) {
  if (port === null) return { url: null, sinks: [], async stop() {} }
  const { writeDashboardPage, DashboardFeed } = await import('../report/page.js')
  const feed = new DashboardFeed()
  const path = `/live/${randomBytes(TOKEN_BYTES).toString('base64url')}/`
  const body = writeDashboardPage()
  const served = await serveLocally(
    { flag: '--dashboard', port },
    {
      [`GET ${path}`]: () => ({ type: 'text/html; charset=utf-8', headers: HEADERS, body }),
      [`GET ${path}records`]: () => feed.answer()
    }
  )
  if ('problem' in served) return served
  return {
    url: `${served.url}${path}`,
    sinks: [
      {
        write: async line => feed.add(line),
        describe: (run, description) => feed.describe(run, description),
        close: () => feed.end()
      }
    ],
    stop: served.stop
  }
}

/**
 * @typedef {object} PrometheusServer
 * @property {Consumer[]} consumers - take the records of the run, and end the serving when they are closed
 * @property {string | null} url - where to look
 */

/**
 * servePrometheus serves the metrics of a run while it goes on.
 *
 * @param {number | null} port - 0: any that is free; null: nothing is served
 * @param {readonly import('../report/run-report.js').View[]} views - of the scenarios that are run
 * @returns {Promise<PrometheusServer | { problem: Problem }>}
 */
export async function servePrometheus(port, views) {
  if (port === null) return { consumers: [], url: null }
  const { makeRunMetrics } = await import('../report/prometheus.js')
  const metrics = await makeRunMetrics(views)
  const served = await serveLocally(
    { flag: '--prometheus', port },
    { 'GET /metrics': async () => ({ type: metrics.contentType, body: await metrics.text() }) }
  )
  if ('problem' in served) return served
  return { consumers: [{ add: metrics.add, close: served.stop }], url: `${served.url}/metrics` }
}

const HOST = findLoopbackHost()

/** @type {Record<string, string>} */
const REFUSALS = {
  EADDRINUSE: `is in use on ${HOST}: choose another port, or 0 for any that is free`,
  EACCES: 'may not be listened on by this user: choose a port from 1024 on, or 0 for any that is free'
}

/**
 * serveLocally serves for this machine alone while a command goes on.
 *
 * @param {{ flag: string, port: number }} asked - 0: any port that is free
 * @param {Parameters<typeof import('../server/http.js').startHttp>[1]} routes
 * @returns {Promise<Awaited<ReturnType<typeof import('../server/http.js').startHttp>> | { problem: Problem }>}
 */
export async function serveLocally({ flag, port }, routes) {
  const { startHttp } = await import('../server/http.js')
  try {
    return await startHttp({ host: HOST, port }, routes)
  } catch (error) {
    const { code = '', message } = /** @type {NodeJS.ErrnoException} */ (error)
    const allowed = REFUSALS[code] ?? `cannot be listened on: ${message}`
    return { problem: { flag, value: String(port), allowed } }
  }
}

/**
 * @typedef {import('../report/checks.js').CheckReport} CheckReport
 */

/**
 * writeChecks writes checks for CI servers: a JUnit file, if the options name one; makeAnnotations and a step summary in GitHub Actions.
 *
 * @param {CheckReport} checked
 * @param {{ junit: string | null, exitCode: number }} how - `exitCode`: as far as it is known
 * @param {Pick<ProcessIo, 'stderr' | 'env'>} io
 * @returns {Promise<number>} the exit code: a JUnit file that cannot be written is a failure
 */
export async function writeChecks(checked, { junit, exitCode }, { stderr, env }) {
  if (env.GITHUB_ACTIONS === 'true' && hasRequirements(checked))
    await writeGithubChecks(checked, { stderr, env })
  if (junit === null) return exitCode
  try {
    const { writeJunit } = await import('../report/checks.js')
    await replaceFile(junit, writeJunit(checked))
    return exitCode
  } catch (error) {
    stderr.write(formatError(error))
    return exitCode === EXIT.DONE ? EXIT.FAILED : exitCode
  }
}

/**
 * Annotations go to standard error: the runner reads both outputs, and standard output may hold a document.
 *
 * @param {CheckReport} checked
 * @param {Pick<ProcessIo, 'stderr' | 'env'>} io
 */
async function writeGithubChecks(checked, { stderr, env: { GITHUB_STEP_SUMMARY: summary } }) {
  const { makeAnnotations, writeStepSummary } = await import('../report/checks.js')
  for (const line of makeAnnotations(checked)) stderr.write(`${line}\n`)
  if (!summary) return
  await appendFile(summary, escapeInvisible(writeStepSummary(checked))).catch(error => {
    stderr.write(`⚠ The summary of the step was not written: ${error.message}\n`)
  })
}

/**
 * makeFolderOrProblem makes the folder of a run or a study, or finds the problem with --outputDir.
 *
 * @template F
 * @param {string} outputDir
 * @param {() => Promise<F>} make
 * @param {string} [what] - it is called
 * @returns {Promise<F | { problem: Problem }>}
 */
export async function makeFolderOrProblem(outputDir, make, what = 'the folder') {
  try {
    return await make()
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    return { problem: { flag: '--outputDir', value: outputDir, allowed: `cannot take ${what} (${code})` } }
  }
}
