-- The schema theirs_company as anomalist import read it. To be completed: rows under @data, transactions, invariants (docs/WORKLOADS.md).
-- Left out: the partitions of salary: it is one table here, which also takes rows that are of no partition
-- Left out: the procedure raise_all: write its statements into the transactions that call it
-- Left out: the sequence badge_number: make a column AUTO_INCREMENT, or draw the number as a parameter
-- Left out: WITH SYSTEM VERSIONING of title_history: no statement here reads rows as they were

-- @schema
CREATE TABLE `salary` (
  `emp_no` int(11) NOT NULL,
  `amount` int(11) NOT NULL CHECK (`amount` > 0),
  `from_date` date NOT NULL,
  `to_date` date NOT NULL DEFAULT '9999-01-01',
  PRIMARY KEY (`emp_no`,`from_date`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_uca1400_ai_ci;
CREATE TABLE `title_history` (
  `emp_no` int(11) NOT NULL,
  `title` varchar(50) NOT NULL,
  PRIMARY KEY (`emp_no`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_uca1400_ai_ci;
CREATE TABLE `wp_plugin_search` (
  `post_id` bigint(20) unsigned NOT NULL,
  `words` varchar(100) NOT NULL,
  KEY `words` (`words`)
) ENGINE=MyISAM DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_uca1400_ai_ci;
CREATE TABLE `wp_posts` (
  `ID` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `post_author` int(11) NOT NULL DEFAULT 0,
  `post_date` datetime NOT NULL DEFAULT '1970-01-01 00:00:00',
  `post_content` longtext NOT NULL,
  `post_title` text NOT NULL,
  `post_status` varchar(20) NOT NULL DEFAULT 'publish',
  `comment_count` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`ID`),
  KEY `type_status_date` (`post_status`,`post_date`,`ID`),
  KEY `title` (`post_title`(191)),
  FULLTEXT KEY `content` (`post_content`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci;
CREATE TABLE `department` (
  `dept_no` char(4) NOT NULL,
  `name` varchar(40) NOT NULL,
  `boss` int(11) DEFAULT NULL,
  PRIMARY KEY (`dept_no`),
  UNIQUE KEY `name` (`name`),
  KEY `dept_boss` (`boss`)
  -- Left out: the foreign key closes a cycle: employee refers to department as well, so that neither table can be created first; leave one of the two foreign keys out
  --   CONSTRAINT `dept_boss` FOREIGN KEY (`boss`) REFERENCES `employee` (`emp_no`) ON DELETE SET NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_uca1400_ai_ci;
CREATE TABLE `employee` (
  `emp_no` int(11) NOT NULL,
  `born` date NOT NULL,
  `first_name` varchar(14) NOT NULL,
  `last_name` varchar(16) NOT NULL,
  `sex` enum('f','m','x') NOT NULL,
  `hired` date NOT NULL,
  `dept_no` char(4) NOT NULL,
  `seat` point DEFAULT NULL,
  `skills` set('sql','c','lisp') NOT NULL DEFAULT '',
  -- Left out: the column settings is TEXT and has a DEFAULT, which not every server takes: make it VARCHAR(n)
  --   `settings` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '{}' CHECK (json_valid(`settings`))
  `settings` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `badge` uuid DEFAULT NULL,
  `address` inet6 DEFAULT NULL,
  `full_name` varchar(31) GENERATED ALWAYS AS (concat(`first_name`,' ',`last_name`)) VIRTUAL,
  -- Left out: YEAR() calculates with dates, which is not supported: compare the column itself, or give the value as a :parameter
  --   `year_hired` int(11) GENERATED ALWAYS AS (year(`hired`)) STORED
  PRIMARY KEY (`emp_no`),
  KEY `names` (`last_name`(4),`first_name`(4)),
  KEY `emp_dept` (`dept_no`),
  CONSTRAINT `emp_dept` FOREIGN KEY (`dept_no`) REFERENCES `department` (`dept_no`),
  CONSTRAINT `adult` CHECK (`hired` > `born`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_uca1400_ai_ci;
CREATE TABLE `wp_plugin_likes` (
  `post_id` bigint(20) unsigned NOT NULL,
  `emp_no` int(11) NOT NULL,
  `given` timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),
  `weight` float NOT NULL DEFAULT 1,
  `ip` varbinary(16) DEFAULT NULL,
  -- Left out: NEXTVAL() gives a number of a sequence: make the column AUTO_INCREMENT, or draw the number, @parameter :id unique
  --   `number` bigint(20) NOT NULL DEFAULT nextval(`theirs_company`.`badge_number`)
  `number` bigint(20) NOT NULL,
  UNIQUE KEY `once` (`post_id`,`emp_no`),
  KEY `emp` (`emp_no`),
  CONSTRAINT `like_emp` FOREIGN KEY (`emp_no`) REFERENCES `employee` (`emp_no`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_uca1400_ai_ci;
CREATE VIEW `current_salary` AS select `salary`.`emp_no` AS `emp_no`,`salary`.`amount` AS `amount` from `salary` where `salary`.`to_date` > '2026-01-01';
-- Left out: TIMESTAMPDIFF() calculates with dates, which is not supported: compare the column itself, or give the value as a :parameter
--   CREATE VIEW `service_years` AS select `employee`.`emp_no` AS `emp_no`,timestampdiff(YEAR,`employee`.`hired`,curdate()) AS `years` from `employee`
CREATE VIEW `dept_cost` AS select `d`.`name` AS `name`,sum(`s`.`amount`) AS `cost` from ((`department` `d` join `employee` `e` on(`e`.`dept_no` = `d`.`dept_no`)) join `current_salary` `s` on(`s`.`emp_no` = `e`.`emp_no`)) group by `d`.`name`;
CREATE TRIGGER `count_likes` AFTER INSERT ON `wp_plugin_likes` FOR EACH ROW UPDATE `wp_posts` SET `comment_count` = `comment_count` + 1 WHERE `ID` = NEW.`post_id`;

-- @data
-- For instance:
--   -- @for :n 1..5*scale
--   INSERT INTO some_table (id, name) VALUES (:n, 'somebody');
--
-- And then:
--   -- @transaction rename
--   -- @parameter :id key of some_table
--   SELECT name FROM some_table WHERE id = :id;
--   UPDATE some_table SET name = 'somebody else' WHERE id = :id;

-- On stderr:

-- stdout:2: left out: the partitions of salary: it is one table here, which also takes rows that are of no partition
-- stdout:3: left out: the procedure raise_all: write its statements into the transactions that call it
-- stdout:4: left out: the sequence badge_number: make a column AUTO_INCREMENT, or draw the number as a parameter
-- stdout:5: left out: WITH SYSTEM VERSIONING of title_history: no statement here reads rows as they were
-- stdout:45: left out: the foreign key closes a cycle: employee refers to department as well, so that neither table can be created first; leave one of the two foreign keys out
-- stdout:58: left out: the column settings is TEXT and has a DEFAULT, which not every server takes: make it VARCHAR(n)
-- stdout:64: left out: YEAR() calculates with dates, which is not supported: compare the column itself, or give the value as a :parameter
-- stdout:78: left out: NEXTVAL() gives a number of a sequence: make the column AUTO_INCREMENT, or draw the number, @parameter :id unique
-- stdout:86: left out: TIMESTAMPDIFF() calculates with dates, which is not supported: compare the column itself, or give the value as a :parameter
-- stdout:14: COLLATE utf8mb4_uca1400_ai_ci is left out: texts are of utf8mb4, compared by their characters (also in lines 19, 47, 71, 84)
-- stdout:21: the type UNSIGNED is imported as bigint: with a CHECK that it is not below 0, up to 2^63 - 1 (also in lines 26, 73)
-- stdout:24: ENGINE MyISAM is left out: tables are made with InnoDB
-- stdout:24: CHARSET utf8mb3 is left out: texts are of utf8mb4, compared by their characters
-- stdout:24: COLLATE utf8mb3_uca1400_ai_ci is left out: texts are of utf8mb4, compared by their characters
-- stdout:29: the type longtext is imported as text: it has no length of its own (also in line 60)
-- stdout:36: the index content is left out: it is FULLTEXT, which no supported statement uses
-- stdout:37: COLLATE utf8mb4_unicode_520_ci is left out: texts are of utf8mb4, compared by their characters
-- stdout:39: the type char is imported as varchar(4): it is not padded with blanks (also in line 55)
-- stdout:53: the type ENUM is imported as varchar(1): with a CHECK of its values, which are ordered as texts
-- stdout:56: the type point is imported as text: it is one value, compared as it is written
-- stdout:57: the type SET is imported as varchar(255): it is one value, compared as it is written
-- stdout:61: the type uuid is imported as varchar(36): write uuids in lower case, as the server shows them
-- stdout:62: the type inet6 is imported as varchar(39): it is one value, compared as it is written
-- stdout:67: lengths in a key of several columns are left out: it is over the whole columns
-- stdout:75: the type TIMESTAMP is imported as timestamp: timestamps are in UTC, to the second
-- stdout:76: the type float is imported as numeric(30, 10): its values are exact here
-- stdout:77: the type varbinary is imported as varchar(16): its bytes are characters here
