/** @param {unknown} setting @returns {setting is { value: unknown, why: string }} */
const hasReason = setting =>
  setting !== null && typeof setting === 'object' && 'value' in setting && 'why' in setting

/**
 * settingOf is something set other than its default, as a result tells it: with a reason, or its value alone.
 *
 * @param {string} whose - options
 * @param {string} name
 * @param {unknown} setting
 * @returns {{ whose: string, name: string, value: unknown, why: string | null }} `why`: null: not known
 */
export const settingOf = (whose, name, setting) =>
  hasReason(setting)
    ? { whose, name, value: setting.value, why: setting.why }
    : { whose, name, value: setting, why: null }
