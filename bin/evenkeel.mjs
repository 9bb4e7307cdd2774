#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root, underModernNode } from './bootstrap.mjs';

const source = join(root, 'cli', 'main.ts');
const entry = existsSync(source) ? source : join(root, 'dist', 'cli', 'main.js');

await underModernNode(fileURLToPath(import.meta.url), () => import(pathToFileURL(entry).href));
