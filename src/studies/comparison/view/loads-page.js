import { significant } from '../../../kit/numbers.js'
import { amount } from '../../../kit/plots/axes.js'
import { SHAPES } from '../../../kit/plots/theme.js'
import { studyFooter } from '../../../report/page/frame.js'
import { carriedPlots } from '../../qa/view/plots/qa-plots.js'
import { faceOf } from '../../saturation/view/faces.js'
import { letterOf } from '../comparison-document.js'
import { describeLoads } from './describe-loads.js'
import { descriptionPage } from './description.js'
import { curvesPlot } from './plots/time-curves.js'

/** @typedef {import('../loads.js').Release} Release */

/**
 * Times against throughput, a line for each release and size: colours tell releases, shapes tell sizes.
 *
 * @param {readonly Release[]} releases
 * @param {'p50' | 'p99'} name
 */
function loadCurves(releases, name) {
  const face = faceOf(releases[0])
  const sizes = [...new Set(releases.flatMap(({ loads }) => loads.map(({ size }) => size)))].sort(
    (a, b) => a - b
  )
  const curves = releases.flatMap(({ loads }, place) =>
    sizes.map((size, i) => ({
      ...{ label: `${letterOf(place)}, ${face.sizeSign}=${size}`, place, shape: SHAPES[i % SHAPES.length] },
      points: loads
        .filter(load => load.size === size && Number(load[name]?.ms) > 0 && load.throughput > 0)
        .sort((a, b) => a.perSecond - b.perSecond)
        .map(load => ({ at: load.throughput, ms: Number(load[name]?.ms) }))
    }))
  )
  return curvesPlot(
    curves.filter(({ points }) => points.length > 0),
    {
      id: `loads-${name}`,
      title: `${name} of the ${face.timeName} against throughput`,
      caption: `A line for each release with each number of ${face.many}; colours tell releases, shapes tell ${face.many}.`,
      description: `${name} of ${releases.length} releases against throughput.`,
      x: () => amount(`Throughput, ${face.throughputName}`, { tickCount: 6 }),
      y: `${name}, ms`
    }
  )
}

/** @param {readonly Release[]} releases @param {'examined' | 'rotation'} which */
function runCurves(releases, which) {
  const what = faceOf(releases[0]).what === 'messages' ? 'Deliveries' : 'Operations'
  const runs = releases.flatMap(({ runs: { [which]: result } }, place) =>
    result === null ? [] : [{ label: letterOf(place), result }]
  )
  return carriedPlots(runs, { id: `${which}-carried`, what })
}

/**
 * loadsPage is the page of studies that tried loads, over one another.
 *
 * @param {readonly Release[]} releases
 * @returns {Promise<string>}
 */
export function loadsPage(releases) {
  const tails = loadCurves(releases, 'p99')
  const mostOf = (/** @type {Release} */ { loads }) =>
    significant(Math.max(0, ...loads.map(({ throughput }) => throughput)))
  return descriptionPage(
    describeLoads(releases),
    {
      answer: {
        figures: releases
          .slice(0, 4)
          .map((release, place) => [`Most carried by ${letterOf(place)}`, `${mostOf(release)}/s`]),
        plots: tails
      },
      plots: {
        times: [...loadCurves(releases, 'p50'), ...tails],
        examined: runCurves(releases, 'examined'),
        rotation: runCurves(releases, 'rotation')
      },
      sections: [],
      footer: studyFooter(null, 'docs/qa.md')
    },
    {
      document: {
        id: releases.map(({ id }) => id).join(' · '),
        ...{ startedAt: releases[0].startedAt, finishedAt: null }
      },
      unended: 'made from what is kept'
    }
  )
}
