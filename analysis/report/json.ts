import type { ReportData } from './data.ts';

/** The report's data as one JSON document, ending in a line break. */
export const renderJson = (data: ReportData): string => `${JSON.stringify(data, null, 2)}\n`;
