/** What `import` is told on the command line. */
export interface ImportOptions {
  readonly runsDir: string;
  readonly format: string;
  readonly out?: string;
  readonly compare?: string;
  readonly model?: string;
  readonly benchmark?: string;
  readonly spec?: string;
  readonly columns?: string;
}
