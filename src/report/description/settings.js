import { table } from './tables.js'

/**
 * settingOf is something set other than its default, as a result tells it: with a reason, or its value alone.
 *
 * @param {unknown} setting
 * @returns {{ value: unknown, why: string | null }}
 */
export const settingOf = setting =>
  setting !== null && typeof setting === 'object' && 'value' in setting && 'why' in setting
    ? { value: setting.value, why: String(setting.why) }
    : { value: setting, why: null }

/** settingText writes its value. @param {unknown} value */
export const settingText = value => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

/**
 * settingsTable lists what is set other than its default.
 *
 * @param {Readonly<Record<string, unknown>> | null | undefined} settings - by name
 * @param {{ id?: string, title?: string }} [of]
 */
export const settingsTable = (
  settings,
  { id = 'settings', title = 'Settings other than the defaults of libp2p' } = {}
) =>
  table(id, title, Object.entries(settings ?? {}), [
    ['Setting', ([name]) => name, 'text'],
    ['Value', ([, setting]) => settingText(settingOf(setting).value), 'text'],
    ['Why', ([, setting]) => settingOf(setting).why, 'text']
  ])
