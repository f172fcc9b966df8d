import { asMarkdown } from '../../../kit/table.js'
import { trialTable } from '../../saturation/view/trial-table.js'
import { PRESETS } from '../plan/cluster-presets.js'
import { clusterSentences } from './cluster-sentences.js'
import { stageTable } from './stage-table.js'

/** @typedef {import('../result/cluster-document.js').ClusterDocument} ClusterDocument */

/** presetInWords says whose rate it is, one that is not known any more by its name. @param {Pick<ClusterDocument, 'preset'>} document */
export const presetInWords = ({ preset }) => PRESETS[preset]?.says ?? preset

/**
 * clusterText is what a person reads of a run of the servers.
 *
 * @param {ClusterDocument} document
 * @returns {string} markdown
 */
export const clusterText = document =>
  [
    clusterSentences(document)
      .map(line => `- ${line}`)
      .join('\n'),
    ...(document.stages.length === 0 ? [] : [asMarkdown(stageTable(document))]),
    ...(document.search === null ? [] : [asMarkdown(trialTable(document.search))]),
    `--preset ${document.preset}: ${presetInWords(document)}`
  ].join('\n\n')
