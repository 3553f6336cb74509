/** The public names of the store, one by one. */
export { AdaptationSource, resetAdaptation } from "./adaptation-source.ts";
export { labelsOf, recordsOf } from "./completion-records.ts";
export type { Installation } from "./installation.ts";
export { openInstallation } from "./installation.ts";
export type { JournalOptions } from "./journal.ts";
export { Journal } from "./journal.ts";
export { clearJournal, dayOf } from "./journal-files.ts";
export type { JournalQuery } from "./read-journal.ts";
export { readJournal } from "./read-journal.ts";
