-- A company's people on MariaDB, beside the tables of a plugin of its web site.
CREATE TABLE `department` (
  `dept_no` char(4) NOT NULL,
  `name` varchar(40) NOT NULL,
  `boss` int(11) DEFAULT NULL,
  PRIMARY KEY (`dept_no`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB;
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
  `settings` json NOT NULL DEFAULT '{}',
  `badge` uuid DEFAULT NULL,
  `address` inet6 DEFAULT NULL,
  `full_name` varchar(31) GENERATED ALWAYS AS (concat(`first_name`,' ',`last_name`)) VIRTUAL,
  `year_hired` int(11) AS (year(`hired`)) PERSISTENT,
  PRIMARY KEY (`emp_no`),
  KEY `names` (`last_name`(4),`first_name`(4)),
  CONSTRAINT `emp_dept` FOREIGN KEY (`dept_no`) REFERENCES `department` (`dept_no`),
  CONSTRAINT `adult` CHECK (`hired` > `born`)
) ENGINE=InnoDB;
ALTER TABLE `department` ADD CONSTRAINT `dept_boss` FOREIGN KEY (`boss`) REFERENCES `employee` (`emp_no`) ON DELETE SET NULL;
CREATE TABLE `salary` (
  `emp_no` int(11) NOT NULL,
  `amount` int(11) NOT NULL CHECK (`amount` > 0),
  `from_date` date NOT NULL,
  `to_date` date NOT NULL DEFAULT '9999-01-01',
  PRIMARY KEY (`emp_no`,`from_date`)
) ENGINE=InnoDB PARTITION BY HASH (`emp_no`) PARTITIONS 2;
CREATE TABLE `title_history` (
  `emp_no` int(11) NOT NULL,
  `title` varchar(50) NOT NULL,
  PRIMARY KEY (`emp_no`)
) ENGINE=InnoDB WITH SYSTEM VERSIONING;
CREATE SEQUENCE `badge_number` START WITH 1000;
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
CREATE TABLE `wp_plugin_likes` (
  `post_id` bigint(20) unsigned NOT NULL,
  `emp_no` int(11) NOT NULL,
  `given` timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp(),
  `weight` float NOT NULL DEFAULT 1,
  `ip` varbinary(16) DEFAULT NULL,
  `number` bigint(20) NOT NULL DEFAULT nextval(`badge_number`),
  UNIQUE KEY `once` (`post_id`,`emp_no`),
  KEY `emp` (`emp_no`),
  CONSTRAINT `like_emp` FOREIGN KEY (`emp_no`) REFERENCES `employee` (`emp_no`) ON DELETE CASCADE
) ENGINE=InnoDB;
CREATE TABLE `wp_plugin_search` (
  `post_id` bigint(20) unsigned NOT NULL,
  `words` varchar(100) NOT NULL,
  KEY `words` (`words`)
) ENGINE=MyISAM DEFAULT CHARSET=utf8mb3;
CREATE VIEW `current_salary` AS SELECT `emp_no`, `amount` FROM `salary` WHERE `to_date` > '2026-01-01';
CREATE VIEW `dept_cost` AS
  SELECT d.`name`, SUM(s.`amount`) AS `cost` FROM `department` d JOIN `employee` e ON e.`dept_no` = d.`dept_no` JOIN `current_salary` s ON s.`emp_no` = e.`emp_no` GROUP BY d.`name`;
CREATE VIEW `service_years` AS SELECT `emp_no`, timestampdiff(year, `hired`, curdate()) AS `years` FROM `employee`;
CREATE TRIGGER `count_likes` AFTER INSERT ON `wp_plugin_likes` FOR EACH ROW UPDATE `wp_posts` SET `comment_count` = `comment_count` + 1 WHERE `ID` = NEW.`post_id`;
CREATE PROCEDURE `raise_all`() UPDATE `salary` SET `amount` = `amount` + 1 WHERE `to_date` > '2026-01-01';
