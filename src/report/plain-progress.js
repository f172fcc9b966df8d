import { phaseTimes } from './phase-times.js'
import { headLines, phaseLine, phaseWords, progressLine } from './progress-words.js'

/**
 * @typedef {import('../result/types.js').Record_} Record_
 * @typedef {import('../plan/plan.js').AnyPlan} AnyPlan
 *
 * @typedef {object} Progress - shows how a run goes on
 * @property {(record: Record_) => void} add
 * @property {(text: string) => void} notice - says something in between
 * @property {() => void} close
 */

const LEAST_MS = 2000

/**
 * plainProgress writes a line per phase, and at most one in two seconds while a phase goes on: for logs.
 *
 * @param {object} components
 * @param {(line: string) => void} components.write
 * @param {string} components.version
 * @param {import('./view.js').View} components.view
 * @param {() => number} [components.now] - ms, monotonic
 * @returns {Progress}
 */
export function plainProgress({ write, version, view, now = () => performance.now() }) {
  const took = phaseTimes()
  /** @type {AnyPlan | undefined} */
  let plan
  let lastLine = now()

  /** @param {Extract<Record_, { type: 'phase' }>} record */
  function phase(record) {
    const ms = took(record)
    if (plan === undefined || record.state === 'begin') return
    const { running, done } = phaseWords(record.name, plan, view)
    const [sign, title] = record.state === 'done' ? ['✔', done] : ['✖', `${running} broken off`]
    write(`${sign} ${phaseLine(title, ms, record.detail)}`)
  }

  /** @param {Extract<Record_, { type: 'progress' }>} record */
  function progress(record) {
    if (plan === undefined || now() - lastLine < LEAST_MS) return
    lastLine = now()
    write(
      `  ${progressLine(phaseWords(record.phase, plan, view).running, record, { withBar: false, view, plan })}`
    )
  }

  return {
    add(record) {
      if (record.type === 'start') {
        plan = record.plan
        for (const line of headLines(record, version, view)) write(line)
      } else if (record.type === 'phase') phase(record)
      else if (record.type === 'progress') progress(record)
    },
    notice: write,
    close() {}
  }
}
