import { settingOf } from '../../../report/setting.js'

/** @typedef {import('../../../result/types.js').Result} Result */

/**
 * TARGET_SETTINGS are those of a rendezvous server under test and of the clients it is tested with.
 *
 * @type {Readonly<import('../../../report/view.js').Settings<import('../../../result/types.js').Result>>}
 */
export const TARGET_SETTINGS = {
  path: 'outcome.target.settings',
  read: ({ outcome }) =>
    Object.entries(/** @type {Result['outcome']} */ (outcome).target.settings).flatMap(([whose, changes]) =>
      Object.entries(/** @type {object} */ (changes)).map(([name, setting]) =>
        settingOf(whose, name, setting)
      )
    )
}
