import { aboutSection, planSection } from '../../../../report/page/about.js'
import { notesList } from '../../../../report/page/frame.js'
import { generatorTable } from '../../../../report/page/generator.js'
import { figuresTable, together, warningsList } from '../../../../report/page/section-parts.js'
import { thresholdsTable } from '../../../../report/page/thresholds.js'
import { responseTimeMaps } from '../../../../report/plots/response-time-map.js'
import { failuresPlot } from '../plots/failures.js'
import { withFaults } from '../plots/fault-marks.js'
import { percentileCurve } from '../plots/percentile-curve.js'
import { serverPlots } from '../plots/server-load.js'
import { throughputPlot } from '../plots/throughput.js'
import { faultTable } from './fault-table.js'
import { outcomesTable } from './outcomes.js'
import { soakTable } from './soak-table.js'

/** @typedef {import('../../../../report/page/section.js').Section<import('../../../../result/types.js').Result>} Section */

/** RENDEZVOUS_SECTIONS are the parts of the page of a run of the rendezvous scenario. @type {readonly Section[]} */
export const RENDEZVOUS_SECTIONS = [
  { id: 'figures', title: 'Figures', body: figuresTable },
  { id: 'thresholds', title: 'Thresholds', body: thresholdsTable },
  { id: 'warnings', title: 'Warnings', body: warningsList },
  {
    id: 'response-times',
    title: 'Response times',
    body: (result, { draw }) =>
      draw([...percentileCurve(result), ...withFaults(result, responseTimeMaps(result))])
  },
  { id: 'faults', title: 'Faults', body: faultTable },
  {
    id: 'over-time',
    title: 'Throughput and server',
    body: (result, { draw }) => draw(withFaults(result, [...throughputPlot(result), ...serverPlots(result)]))
  },
  { id: 'soak', title: 'Over the run', body: soakTable },
  {
    id: 'outcomes',
    title: 'Outcomes',
    body: async (result, { draw }) =>
      together([outcomesTable(result), await draw(withFaults(result, failuresPlot(result)))])
  },
  {
    id: 'generator',
    title: 'Load generator',
    body: (result, { view }) => together([generatorTable(result), notesList(view.notes.references(result))])
  },
  { id: 'plan', title: 'Repeat it', body: planSection },
  { id: 'about', title: 'About this run', body: aboutSection }
]
