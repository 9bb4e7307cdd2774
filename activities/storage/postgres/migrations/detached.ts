/** Version 6: sweeps that own their run, without a process. */
export const detachedSweeps = `
-- The epoch of the sweep that owns the run; null if a process does, or nobody.
alter table run add column detached_epoch int;
`;
